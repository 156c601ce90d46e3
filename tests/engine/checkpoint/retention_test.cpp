// SPDX-License-Identifier: Apache-2.0
// The promise of retention over random histories: once two saves exist, two loadable checkpoints are there at every
// instant, steps up to 10^7, non-finite saves and resumes in between.
#include "engine/checkpoint/retention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace unmask {
namespace {

TEST(Retention, newestAreKeptByNumberNotByName) {
    EXPECT_EQ(removableSteps({{999999, 1000000, 200000}, 2}), (std::vector<int64_t>{200000}));
    EXPECT_TRUE(removableSteps({{}, 2}).empty());
    EXPECT_TRUE(removableSteps({{5, 7}, 1}).empty()) << "one alone may still be in the making";
    EXPECT_EQ(removableSteps({{1, 2, 3}, 0}), (std::vector<int64_t>{1}));
}

TEST(Retention, theFolderResumedFromWaitsForTwoNewerOnes) {
    EXPECT_EQ(removableSteps({{10, 20, 30, 40}, 2, 30}), (std::vector<int64_t>{10, 20}));
    EXPECT_TRUE(removableSteps({{30, 40}, 2, 30}).empty());
    EXPECT_EQ(removableSteps({{10, 20, 30}, 2, 10}), (std::vector<int64_t>{10}));
    EXPECT_EQ(removableSteps({{5, 10, 20}, 2, 20}), (std::vector<int64_t>{5}));
}

TEST(Retention, twoStayAtEveryInstantOfAnyHistory) {
    for (uint32_t seed = 1; seed <= 200; ++seed) {
        std::mt19937 random(seed);
        std::set<int64_t> onDisk;
        int64_t step = 0;
        int64_t resumedFrom = -1;
        size_t most = 0;
        const auto keep = static_cast<int64_t>(random() % 5);
        for (int save = 0; save < 100; ++save) {
            step += 1 + random() % (save % 10 == 0 ? 100000 : 10);
            if (random() % 4 == 0)
                continue;  // this one was not finite, or failed: never acknowledged
            onDisk.insert(step);
            most = std::max(most, onDisk.size());
            for (const int64_t old : removableSteps({{onDisk.begin(), onDisk.end()}, keep, resumedFrom})) {
                ASSERT_NE(old, step);
                onDisk.erase(old);
                ASSERT_GE(onDisk.size(), std::min<size_t>(2, most)) << "seed " << seed;
            }
            ASSERT_LE(onDisk.size(), static_cast<size_t>(std::max<int64_t>(2, keep)) + 1);
            if (resumedFrom >= 0) {
                const auto newer =
                    std::count_if(onDisk.begin(), onDisk.end(), [&](int64_t s) { return s > resumedFrom; });
                if (newer < 2) {
                    ASSERT_TRUE(onDisk.contains(resumedFrom)) << "seed " << seed;
                }
            }
            if (random() % 10 == 0)
                resumedFrom = step = *onDisk.rbegin();
        }
    }
}

}  // namespace
}  // namespace unmask
