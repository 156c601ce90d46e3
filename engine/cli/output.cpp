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

std::string plainMessage(const std::string& message) {
    const size_t end = message.find("] ");
    return message.starts_with('[') && end != std::string::npos ? message.substr(end + 2) : message;
}

bool isTerminal(int descriptor) {
    return isatty(descriptor) == 1;
}

int terminalWidth() {
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string harmless(std::string_view text) {
    const std::string valid = toValidUtf8(text);
    std::string result;
    for (size_t i = 0; i < valid.size(); ++i) {
        const auto byte = static_cast<unsigned char>(valid[i]);
        const bool c1 = byte == 0xC2 && i + 1 < valid.size() && static_cast<unsigned char>(valid[i + 1]) < 0xA0;
        if (c1) {
            result += "\xEF\xBF\xBD";
            ++i;
        } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) {
            result += "\xEF\xBF\xBD";
        } else {
            result += valid[i];
        }
    }
    return result;
}

}  // namespace unmask
