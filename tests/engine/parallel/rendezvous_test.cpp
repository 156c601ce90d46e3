// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/rendezvous.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "engine/base/durable_file.h"
#include "engine/base/error.h"
#include "tests/engine/parallel/rank_threads.h"

namespace unmask::test {
namespace {

TEST(Rendezvous, EverybodyLearnsEverybodysText) {
    const auto failures = onRanks(3, [](int rank, Rendezvous& rendezvous) {
        const auto texts = rendezvous.exchangeTexts("spec", "from " + std::to_string(rank));
        EXPECT_EQ(texts, (std::vector<std::string>{"from 0", "from 1", "from 2"}));
    });
    for (const std::string& failure : failures)
        EXPECT_EQ(failure, "");
}

TEST(Rendezvous, WhoDidNotComeIsNamed) {
    const TempFolder folder;
    Rendezvous alone({.file = folder.path() / "meeting"}, 2, 0, std::chrono::milliseconds(300));
    try {
        alone.exchangeTexts("spec", "here");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::communication);
        EXPECT_THAT(error.what(), testing::HasSubstr("rank 0 waited"));
        EXPECT_THAT(error.what(), testing::HasSubstr("for rank 1, which did not come"));
    }
}

int freePort() {
    const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(socket.get(), raw, size), 0);
    EXPECT_EQ(getsockname(socket.get(), raw, &size), 0);
    return ntohs(address.sin_port);
}

TEST(Rendezvous, OverAHostAndAPort) {
    const int port = freePort();
    std::vector<std::thread> threads;
    std::vector<std::string> failures(2);
    for (int rank = 0; rank < 2; ++rank)
        threads.emplace_back([&, rank] {
            try {
                Rendezvous rendezvous({.address = "127.0.0.1", .port = port}, 2, rank, std::chrono::seconds(20));
                EXPECT_EQ(rendezvous.exchangeTexts("name", std::to_string(rank)).size(), 2u);
                rendezvous.makeGroup("all", {0, 1})->barrier();
            } catch (const std::exception& error) {
                failures[static_cast<size_t>(rank)] = error.what();
            }
        });
    for (std::thread& each : threads)
        each.join();
    EXPECT_EQ(failures, std::vector<std::string>(2));
}

}  // namespace
}  // namespace unmask::test
