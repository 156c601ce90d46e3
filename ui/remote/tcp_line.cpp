// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/tcp_line.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QCoreApplication>
#include <chrono>
#include <cstring>
#include <future>
#include <thread>

#include "engine/base/text.h"

namespace unmask::ui {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLookMs = 100;
constexpr size_t kLongestGreeting = 512;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::TcpLine)
};

SshFailure calledOffFailure(SshStep step) {
    return {step, SshFault::cancelled, Words::tr("Called off.")};
}

struct Addresses {
    int error = 0;
    addrinfo* list = nullptr;
    ~Addresses() {
        if (list)
            freeaddrinfo(list);
    }
};

// A resolver may hang for a minute and cannot be called off, so it has a thread that nobody waits for.
std::shared_ptr<Addresses> resolve(const QString& host, int port, Clock::time_point end, const CallOff& calledOff) {
    auto promise = std::make_shared<std::promise<std::shared_ptr<Addresses>>>();
    auto future = promise->get_future();
    std::thread([promise, name = host.toStdString(), service = std::to_string(port)] {
        auto found = std::make_shared<Addresses>();
        addrinfo hints{};
        hints.ai_socktype = SOCK_STREAM;
        found->error = getaddrinfo(name.c_str(), service.c_str(), &hints, &found->list);
        promise->set_value(found);
    }).detach();
    while (!calledOff && Clock::now() < end)
        if (future.wait_for(std::chrono::milliseconds(kLookMs)) == std::future_status::ready)
            return future.get();
    return nullptr;
}

// True when the socket has become ready; false when time is up or it was called off.
bool awaitSocket(int socket, short events, Clock::time_point end, const CallOff& calledOff) {
    while (!calledOff && Clock::now() < end) {
        pollfd entry{socket, events, 0};
        if (::poll(&entry, 1, kLookMs) > 0)
            return true;
    }
    return false;
}

// 0, or the errno.
int connectOne(const addrinfo& address, int& socket, Clock::time_point end, const CallOff& calledOff) {
    socket = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0)
        return errno;
    if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0)
        return 0;
    int error = errno;
    if (error == EINPROGRESS) {
        socklen_t size = sizeof(error);
        if (!awaitSocket(socket, POLLOUT, end, calledOff))
            error = calledOff ? ECANCELED : ETIMEDOUT;
        else if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
            error = errno;
    }
    if (error != 0) {
        ::close(socket);
        socket = -1;
    }
    return error;
}

SshFailure connectFailure(const QString& place, int error, int timeoutMs) {
    switch (error) {
        case ECANCELED:
            return calledOffFailure(SshStep::connect);
        case ECONNREFUSED:
            return {SshStep::connect, SshFault::refused,
                    Words::tr("%1 refused the connection: nothing listens on that port. Is SSH running there, and is "
                              "the port right?")
                        .arg(place)};
        case ETIMEDOUT:
            return {SshStep::connect, SshFault::timedOut,
                    Words::tr("%1 did not answer within %2 s. Is the machine on, and does a firewall let you through?")
                        .arg(place)
                        .arg(timeoutMs / 1000)};
        default:
            return {SshStep::connect, SshFault::unreachable,
                    Words::tr("%1 cannot be reached: %2.").arg(place, QString::fromLocal8Bit(std::strerror(error)))};
    }
}

}  // namespace

TcpResult connectTcp(const QString& host, int port, int timeoutMs, const CallOff& calledOff) {
    const auto end = Clock::now() + std::chrono::milliseconds(timeoutMs);
    const auto found = resolve(host, port, end, calledOff);
    if (calledOff)
        return {-1, calledOffFailure(SshStep::resolve)};
    if (!found)
        return {-1,
                {SshStep::resolve, SshFault::timedOut,
                 Words::tr("The name %1 was not found within %2 s.").arg(host).arg(timeoutMs / 1000)}};
    if (found->error != 0)
        return {-1,
                {SshStep::resolve, SshFault::unknownName,
                 Words::tr("There is no host named %1 (%2).")
                     .arg(host, QString::fromLocal8Bit(gai_strerror(found->error)))}};
    int error = ENETUNREACH;
    for (const addrinfo* address = found->list; address; address = address->ai_next) {
        int socket = -1;
        error = connectOne(*address, socket, end, calledOff);
        if (error == 0) {
            const int on = 1;
            ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
            return {socket, {}};
        }
    }
    return {-1, connectFailure(QStringLiteral("%1:%2").arg(host).arg(port), error, timeoutMs)};
}

std::optional<SshFailure> awaitGreeting(int socket, const QString& host, int timeoutMs, const CallOff& calledOff) {
    const auto end = Clock::now() + std::chrono::milliseconds(timeoutMs);
    char text[kLongestGreeting];
    ssize_t length = 0;
    for (ssize_t before = -1; awaitSocket(socket, POLLIN, end, calledOff);) {
        length = ::recv(socket, text, sizeof(text), MSG_PEEK | MSG_DONTWAIT);
        if (length <= 0)
            return SshFailure{SshStep::greet, SshFault::lost,
                              Words::tr("%1 closed the connection before it said anything. It may refuse this "
                                        "computer, or have too many connections.")
                                  .arg(host)};
        if (length >= 4)
            break;
        if (length == before)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        before = length;
    }
    if (calledOff)
        return calledOffFailure(SshStep::greet);
    const std::string_view said(text, static_cast<size_t>(std::max<ssize_t>(0, length)));
    if (said.empty())
        return SshFailure{SshStep::greet, SshFault::timedOut,
                          Words::tr("%1 accepted the connection but said nothing within %2 s. An SSH server speaks "
                                    "first, so another program may be listening there.")
                              .arg(host)
                              .arg(timeoutMs / 1000)};
    if (said.substr(0, 4) != "SSH-")
        return SshFailure{SshStep::greet, SshFault::notSsh,
                          Words::tr("What listens at %1 is not SSH. It said: %2")
                              .arg(host, QString::fromStdString(harmless(toValidUtf8(said.substr(0, 80)))))};
    return std::nullopt;
}

}  // namespace unmask::ui
