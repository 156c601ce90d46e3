// SPDX-License-Identifier: Apache-2.0
#include "engine/train/control_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "engine/base/error.h"

namespace unmask {

namespace {

constexpr size_t kLongestLine = 64 * 1024;
constexpr size_t kMostConnections = 32;

std::string randomToken() {
    std::array<unsigned char, 32> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw systemError("[control] no random numbers for the token", errno);
    std::string token;
    for (const unsigned char byte : bytes)
        for (const int digit : {byte >> 4, byte & 15})
            token += "0123456789abcdef"[digit];
    return token;
}

// Takes the same time wherever the first difference lies.
bool equalTokens(std::string_view left, std::string_view right) {
    unsigned difference = left.size() == right.size() ? 0 : 1;
    for (size_t i = 0; i < std::min(left.size(), right.size()); ++i)
        difference |= static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i]);
    return difference == 0;
}

}  // namespace

ControlSocket::ControlSocket(RunFolder folder, OnCommand onCommand, OnRefused onRefused)
    : m_folder(std::move(folder)),
      m_onCommand(std::move(onCommand)),
      m_onRefused(std::move(onRefused)),
      m_token(randomToken()),
      m_wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    listenInFolder();
    m_thread = std::thread([this] { serve(); });
}

ControlSocket::~ControlSocket() {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(m_wake.get(), &one, sizeof one);
    m_thread.join();
    ::unlink(m_folder.controlSocket().c_str());
    ::unlink(m_folder.controlToken().c_str());
}

void ControlSocket::listenInFolder() {
    // Both are left behind by a writer that was killed; the lock says that it is gone.
    ::unlink(m_folder.controlSocket().c_str());
    ::unlink(m_folder.controlToken().c_str());
    m_listener = FileDescriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const FileDescriptor place(open(m_folder.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    // An address holds 107 bytes and run folders may be deeper, so the folder is named by its descriptor. The mode of
    // the socket before bind becomes that of the file: at no instant can somebody else connect.
    const std::string path = "/proc/self/fd/" + std::to_string(place.get()) + "/control.sock";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    if (!m_listener.valid() || !place.valid() || fchmod(m_listener.get(), 0600) != 0 ||
        bind(m_listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(m_listener.get(), 16) != 0)
        throw systemError("[control] cannot listen on " + m_folder.controlSocket().string(), errno);
    createFile(m_folder.controlToken(), m_token + "\n", 0600);
}

void ControlSocket::serve() {
    while (true) {
        std::vector<pollfd> waiting{{m_wake.get(), POLLIN, 0}, {m_listener.get(), POLLIN, 0}};
        for (const auto& [descriptor, connection] : m_connections)
            waiting.push_back({descriptor, POLLIN, 0});
        if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR)
            return;
        if (waiting[0].revents != 0)
            return;
        if (waiting[1].revents != 0)
            accept();
        for (size_t i = 2; i < waiting.size(); ++i)
            if (waiting[i].revents != 0 && !read(m_connections.at(waiting[i].fd)))
                m_connections.erase(waiting[i].fd);
    }
}

void ControlSocket::accept() {
    FileDescriptor peer(accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (!peer.valid() || m_connections.size() >= kMostConnections ||
        getsockopt(peer.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0 || credentials.uid != geteuid())
        return;
    const int descriptor = peer.get();
    m_connections[descriptor] = Connection{std::move(peer), {}, false};
}

bool ControlSocket::read(Connection& connection) {
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(connection.descriptor.get(), bytes.data(), bytes.size());
    if (count < 0)
        return errno == EAGAIN || errno == EINTR;
    if (count == 0)
        return false;
    connection.buffer.append(bytes.data(), static_cast<size_t>(count));
    for (size_t end; (end = connection.buffer.find('\n')) != std::string::npos;) {
        const std::string line = connection.buffer.substr(0, end);
        connection.buffer.erase(0, end + 1);
        if (!takeLine(connection, line))
            return false;
    }
    return connection.buffer.size() <= kLongestLine;
}

bool ControlSocket::takeLine(Connection& connection, std::string_view line) {
    if (!connection.trusted) {
        connection.trusted = equalTokens(line, m_token);
        return connection.trusted;
    }
    if (line.empty())
        return true;
    auto command = decodeCommand(line);
    try {
        if (command.ok())
            m_onCommand(std::move(command).orThrow());
        else
            m_onRefused(command.error().what());
    } catch (const Error&) {  // the journal refuses records: the loop meets that too and ends the run in words
        return false;
    }
    return true;
}

}  // namespace unmask
