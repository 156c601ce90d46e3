// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/jump_pump.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>

namespace unmask::ui {
namespace {

constexpr size_t kMostWaiting = 1 << 20;  // bytes kept for the slower side

int noEvent(socket_t, int, void*) {
    return SSH_OK;  // being woken is all
}

}  // namespace

JumpPump::JumpPump(ssh_session session, ssh_channel channel) : m_session(session), m_channel(channel) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
        return;
    m_inner = ends[0];
    m_outer = ends[1];
    m_thread = std::thread([this] { run(); });
}

JumpPump::~JumpPump() {
    m_stop = true;
    if (m_inner >= 0)
        ::shutdown(m_inner, SHUT_RDWR);
    if (m_thread.joinable())
        m_thread.join();
    for (const int end : {m_inner, m_outer})
        if (end >= 0)
            ::close(end);
    ssh_channel_free(m_channel);
    ssh_silent_disconnect(m_session);
    ssh_free(m_session);
}

int JumpPump::takeSocket() {
    return std::exchange(m_outer, -1);
}

void JumpPump::run() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    ssh_set_blocking(m_session, 0);
    ssh_event event = ssh_event_new();
    ssh_event_add_session(event, m_session);
    ssh_event_add_fd(event, m_inner, POLLIN, noEvent, nullptr);
    std::string toFar;
    std::string toNear;
    std::array<char, 32768> buffer{};
    bool open = true;
    while (!m_stop && open) {
        bool moved = false;
        if (toFar.size() < kMostWaiting) {
            const ssize_t got = ::recv(m_inner, buffer.data(), buffer.size(), MSG_DONTWAIT);
            open = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
            if (got > 0)
                toFar.append(buffer.data(), static_cast<size_t>(got));
            moved |= got > 0;
        }
        if (!toFar.empty()) {
            const int sent = ssh_channel_write(m_channel, toFar.data(), static_cast<uint32_t>(toFar.size()));
            open = open && (sent >= 0 || sent == SSH_AGAIN);
            if (sent > 0)
                toFar.erase(0, static_cast<size_t>(sent));
            moved |= sent > 0;
        }
        if (toNear.size() < kMostWaiting) {
            const int got = ssh_channel_read_nonblocking(m_channel, buffer.data(), buffer.size(), 0);
            if (got > 0)
                toNear.append(buffer.data(), static_cast<size_t>(got));
            else if (ssh_channel_is_eof(m_channel) || ssh_channel_is_closed(m_channel) || !ssh_is_connected(m_session))
                open = open && !toNear.empty();
            moved |= got > 0;
        }
        if (!toNear.empty()) {
            const ssize_t sent = ::send(m_inner, toNear.data(), toNear.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent > 0)
                toNear.erase(0, static_cast<size_t>(sent));
            moved |= sent > 0;
        }
        if (!moved && open && ssh_event_dopoll(event, toFar.empty() && toNear.empty() ? 200 : 5) == SSH_ERROR)
            open = false;
    }
    ::shutdown(m_inner, SHUT_RDWR);
    ssh_event_remove_fd(event, m_inner);
    ssh_event_remove_session(event, m_session);
    ssh_event_free(event);
}

}  // namespace unmask::ui
