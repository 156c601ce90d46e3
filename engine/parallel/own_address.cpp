// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/own_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "engine/base/durable_file.h"
#include "engine/base/error.h"

namespace unmask {

std::string ownAddressTowards(const std::string& host) {
    const auto fail = [&](const std::string& why) {
        return Error{ErrorCode::communication, "[parallel] no way leads to " + host + ": " + why};
    };
    addrinfo hints{};
    hints.ai_socktype = SOCK_DGRAM;
    addrinfo* raw = nullptr;
    if (const int code = getaddrinfo(host.c_str(), "9", &hints, &raw); code != 0)
        throw fail(gai_strerror(code));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(raw, &freeaddrinfo);
    const FileDescriptor probe(socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!probe.valid() || connect(probe.get(), found->ai_addr, found->ai_addrlen) != 0)
        throw fail(std::strerror(errno));
    sockaddr_storage own{};
    socklen_t size = sizeof(own);
    std::array<char, NI_MAXHOST> text{};
    if (getsockname(probe.get(), reinterpret_cast<sockaddr*>(&own), &size) != 0 ||
        getnameinfo(reinterpret_cast<sockaddr*>(&own), size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0)
        throw fail(std::strerror(errno));
    return text.data();
}

}  // namespace unmask
