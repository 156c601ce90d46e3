// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/output.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/text.h"

namespace unmask {
namespace {

bool writeTo(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd place{descriptor, POLLOUT, 0};
            poll(&place, 1, 1000);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

std::string inOneLine(std::string_view text) {
    std::string line;
    for (const char byte : text) {
        const bool space = byte == '\n' || byte == ' ';
        if (!space)
            line += byte;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    return line;
}

}  // namespace

bool writeOut(std::string_view bytes) {
    return writeTo(STDOUT_FILENO, bytes);
}

void printLine(std::string_view line) {
    writeOut(std::string(line) + "\n");
}

void complain(std::string_view message) {
    const std::string text = isTerminal(STDERR_FILENO) ? std::string(message) : inOneLine(message);
    writeTo(STDERR_FILENO, "unmask-engine: " + text + "\n");
}

bool isTerminal(int descriptor) {
    return isatty(descriptor) == 1;
}

int terminalWidth() {
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace unmask
