// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/rank_team.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/engine/parallel/rank_threads.h"

namespace unmask::test {
namespace {

// What went wrong on each of two ranks.
std::vector<std::string> onTwoRanks(const std::function<void(int rank, const TeamPlace& place)>& act) {
    return onRankThreads(2, [&](int rank, const MeetingPlace& meeting) { act(rank, {meeting, 2, rank}); });
}

ParallelConfig twoCopies() {
    ParallelConfig layout;
    layout.dataParallelSize = 2;
    return layout;
}

TEST(RankTeam, RankZeroLeadsAndItsWordIsEverybodys) {
    const auto failures = onTwoRanks([](int rank, const TeamPlace& place) {
        RankTeam team(place, twoCopies(), 30, "1.0");
        EXPECT_EQ(team.leads(), rank == 0);
        EXPECT_EQ(team.replicas().size(), 2);
        EXPECT_EQ(team.agree(rank == 0 ? "save" : "not this"), "save");
        team.gatherHere();
    });
    EXPECT_EQ(failures, std::vector<std::string>(2));
}

TEST(RankTeam, DifferentVersionsAreSaidWithTheirRank) {
    const auto failures = onTwoRanks(
        [](int rank, const TeamPlace& place) { RankTeam(place, twoCopies(), 30, rank == 0 ? "1.0" : "0.9"); });
    for (const std::string& failure : failures)
        EXPECT_THAT(failure, testing::HasSubstr("rank 1 runs version 0.9, rank 0 runs 1.0"));
}

TEST(RankTeam, ALayoutForAnotherNumberOfProcessesIsRefused) {
    EXPECT_THROW(RankTeam({{}, 3, 0}, twoCopies(), 30, "1.0"), Error);
}

}  // namespace
}  // namespace unmask::test
