// SPDX-License-Identifier: Apache-2.0
// A TCP line on loopback that can be cut by a reset, also after so many bytes and thus in the middle of a frame,
// stalled, slowed down, or left unreachable.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QTcpServer>
#include <atomic>
#include <chrono>
#include <list>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>

namespace unmask::test {

class CuttingProxy {
 public:
    explicit CuttingProxy(int target) : m_target(target) {
        m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        sockaddr_in address = at(0);
        socklen_t size = sizeof(address);
        m_good = ::bind(m_listener, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                 ::listen(m_listener, 16) == 0 &&
                 ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size) == 0;
        port = ntohs(address.sin_port);
        m_thread = std::thread([this] { run(); });
    }
    ~CuttingProxy() {
        m_stop = true;
        m_thread.join();
        ::close(m_listener);
    }
    bool good() const { return m_good; }

    void cut() { m_cutNow = true; }                               // both ends get a reset
    void cutAfter(qint64 bytes) { m_bytesLeft = bytes; }          // counted in both directions together
    void setStalled(bool stalled) { m_stalled = stalled; }        // lines stay up, nothing passes
    void setRefusing(bool refusing) { m_refusing = refusing; }    // new lines are reset at once
    void setRate(qint64 bytesASecond) { m_rate = bytesASecond; }  // 0: as fast as it goes
    int cuts() const { return m_cuts; }

    int port = 0;

 private:
    static constexpr size_t kMostHeld = 256 << 10;
    struct Line {
        int ends[2] = {-1, -1};
        std::string held[2];  // for the end of that index
        bool done[2] = {false, false};
    };

    static sockaddr_in at(int port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }
    static void reset(int& socket) {
        if (socket < 0)
            return;
        const linger at_once{1, 0};
        ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
        ::close(socket);
        socket = -1;
    }
    void drop(Line& line) {
        for (int& end : line.ends)
            reset(end);
    }
    void accept() {
        int near = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (near < 0)
            return;
        if (m_refusing)
            return reset(near);
        Line line;
        line.ends[0] = near;
        line.ends[1] = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = at(m_target);
        if (::connect(line.ends[1], reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
            return drop(line);
        ::fcntl(line.ends[1], F_SETFL, O_NONBLOCK);
        const int on = 1;
        for (const int end : line.ends)
            ::setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        m_lines.push_back(std::move(line));
    }
    size_t allowance() {
        if (m_rate == 0)
            return SIZE_MAX;
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - m_filledAt).count();
        m_filledAt = now;
        m_allowed = std::min(m_allowed + seconds * static_cast<double>(m_rate), static_cast<double>(m_rate) / 10 + 1);
        return static_cast<size_t>(m_allowed);
    }
    // False where the line is over.
    bool turn(Line& line) {
        char buffer[65536];
        for (int from = 0; from < 2; ++from) {
            const int to = 1 - from;
            std::string& held = line.held[to];
            if (!line.done[from] && held.size() < kMostHeld) {
                const ssize_t got = ::recv(line.ends[from], buffer, sizeof(buffer), 0);
                if (got > 0)
                    held.append(buffer, static_cast<size_t>(got));
                line.done[from] = got == 0 || (got < 0 && errno != EAGAIN);
            }
            size_t most = std::min(held.size(), allowance());
            const qint64 left = m_bytesLeft;
            if (left >= 0)
                most = std::min<size_t>(most, static_cast<size_t>(left));
            const ssize_t sent = most == 0 ? 0 : ::send(line.ends[to], held.data(), most, MSG_NOSIGNAL);
            if (sent > 0) {
                held.erase(0, static_cast<size_t>(sent));
                m_allowed -= m_rate == 0 ? 0 : static_cast<double>(sent);
                if (left >= 0)
                    m_bytesLeft = left - sent;
            }
            if (m_bytesLeft == 0) {
                m_bytesLeft = -1;
                m_cutNow = true;
            }
            if ((sent < 0 && errno != EAGAIN) || (line.done[from] && held.empty()))
                return false;
        }
        return true;
    }
    void run() {
        while (!m_stop) {
            std::vector<pollfd> entries{{m_listener, POLLIN, 0}};
            for (const Line& line : m_lines)
                for (int i = 0; i < 2; ++i)
                    entries.push_back({line.ends[i],
                                       static_cast<short>((line.held[1 - i].size() < kMostHeld ? POLLIN : 0) |
                                                          (line.held[i].empty() || m_rate > 0 ? 0 : POLLOUT)),
                                       0});
            if (m_stalled)
                entries.resize(1);
            ::poll(entries.data(), entries.size(), m_rate > 0 || m_stalled ? 5 : 20);
            if (entries[0].revents & POLLIN)
                accept();
            for (auto line = m_lines.begin(); line != m_lines.end();) {
                const bool up = m_stalled || turn(*line);
                if (!up)
                    for (int& end : line->ends)
                        ::close(std::exchange(end, -1));
                line = up ? std::next(line) : m_lines.erase(line);
            }
            if (m_cutNow.exchange(false)) {
                m_cuts += m_lines.empty() ? 0 : 1;
                for (Line& line : m_lines)
                    drop(line);
                m_lines.clear();
            }
        }
        for (Line& line : m_lines)
            drop(line);
    }

    const int m_target;
    int m_listener = -1;
    bool m_good = false;
    std::list<Line> m_lines;
    std::atomic<bool> m_stop{false};
    std::atomic<bool> m_cutNow{false};
    std::atomic<bool> m_stalled{false};
    std::atomic<bool> m_refusing{false};
    std::atomic<qint64> m_bytesLeft{-1};
    std::atomic<qint64> m_rate{0};
    std::atomic<int> m_cuts{0};
    double m_allowed = 0;
    std::chrono::steady_clock::time_point m_filledAt = std::chrono::steady_clock::now();
    std::thread m_thread;
};

}  // namespace unmask::test
