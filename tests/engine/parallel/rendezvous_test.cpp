// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/rendezvous.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/parallel/own_address.h"
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

TEST(Rendezvous, AHostThatLeadsNowhereIsSaidAtOnce) {
    EXPECT_EQ(ownAddressTowards("127.0.0.1"), "127.0.0.1");
    EXPECT_THROW(ownAddressTowards("no-such-host.invalid"), Error);
}

TEST(Rendezvous, OverAHostAndAPort) {
    std::vector<std::thread> threads;
    std::vector<std::string> failures(2);
    for (int rank = 0; rank < 2; ++rank)
        threads.emplace_back([&, rank] {
            try {
                Rendezvous rendezvous({.address = "127.0.0.1", .port = 29611}, 2, rank, std::chrono::seconds(20));
                EXPECT_EQ(rendezvous.exchangeTexts("name", std::to_string(rank)).size(), 2u);
                rendezvous.makeGroup("all", {0, 1})->barrier();
                rendezvous.exchangeTexts("end", "");  // the store lives as long as anybody reads
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
