// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/communicator.h"

#include <gtest/gtest.h>

#include "tests/engine/parallel/rank_threads.h"

namespace unmask::test {
namespace {

TEST(Communicator, TextsOfAnyLengthReachEverybody) {
    const auto failures = onRanks(3, [](int rank, Rendezvous& rendezvous) {
        const auto group = rendezvous.makeGroup("all", {0, 1, 2});
        EXPECT_EQ(group->broadcastText(rank == 2 ? "so be it" : "not this", 2), "so be it");
        EXPECT_EQ(group->broadcastText(rank == 0 ? "" : "not this", 0), "");
        const std::string large(100'000, 'x');
        EXPECT_EQ(group->broadcastText(rank == 1 ? large : "", 1), large);
    });
    for (const std::string& failure : failures)
        EXPECT_EQ(failure, "");
}

}  // namespace
}  // namespace unmask::test
