// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/control_client.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace unmask {
namespace {

constexpr timeval kPatience{5, 0};

Error notRunning() {
    return Error(ErrorCode::badInput, "[control] the run is not running, so it takes no commands");
}

// A socket address holds 107 bytes, run folders may be deeper: the folder is named by its descriptor instead.
Result<sockaddr_un> addressIn(const FileDescriptor& folder) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = "/proc/self/fd/" + std::to_string(folder.get()) + "/control.sock";
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

bool ownedByUs(int socket) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

}  // namespace

bool ControlClient::closedByRun() const {
    char byte = 0;
    const ssize_t got = recv(m_socket.get(), &byte, 1, MSG_DONTWAIT | MSG_PEEK);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

Outcome ControlClient::connectNow() {
    const FileDescriptor folder(open(m_folder.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid())
        return systemError("[control] cannot reach " + m_folder.path.string(), errno);
    FileDescriptor socketEnd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socketEnd.valid())
        return systemError("[control] cannot make a socket", errno);
    setsockopt(socketEnd.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof(kPatience));
    const sockaddr_un address = addressIn(folder).value();
    if (connect(socketEnd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        if (errno == ENOENT || errno == ECONNREFUSED)
            return notRunning();
        return systemError("[control] the run does not take commands", errno);
    }
    if (!ownedByUs(socketEnd.get()))
        return Error(ErrorCode::badInput, "[control] the run belongs to another user");
    try {
        m_socket = std::move(socketEnd);
        return sendLine(readWholeFile(m_folder.controlToken(), 4096));
    } catch (const Error&) {
        m_socket = FileDescriptor();
        return notRunning();  // the token goes with the run
    }
}

Outcome ControlClient::sendLine(const std::string& line) {
    std::string bytes = line;
    if (!bytes.ends_with('\n'))
        bytes += '\n';
    size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t count = ::send(m_socket.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return systemError("[control] the run did not take the command", errno);
        sent += static_cast<size_t>(count);
    }
    return Nothing{};
}

Outcome ControlClient::send(const Command& command) {
    if (m_socket.valid() && closedByRun())
        m_socket = FileDescriptor();
    if (!m_socket.valid()) {
        Outcome connected = connectNow();
        if (!connected)
            return connected;
    }
    Outcome outcome = sendLine(encodeCommand(command));
    if (!outcome)
        m_socket = FileDescriptor();
    return outcome;
}

}  // namespace unmask
