// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/strata.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace unmask {
namespace {

TEST(Strata, AreAPermutationThatTheStepDecides) {
    const NoiseKeys keys(7);
    auto first = permutedStrata(keys, 3, 100);
    EXPECT_EQ(first, permutedStrata(keys, 3, 100));
    EXPECT_NE(first, permutedStrata(keys, 4, 100));
    std::sort(first.begin(), first.end());
    for (int64_t j = 0; j < 100; ++j)
        EXPECT_EQ(first[static_cast<size_t>(j)], j);
}

TEST(Strata, CountStaysInRangeWithoutClamping) {
    EXPECT_EQ(stratifiedCount(0, 0, 64, 32), 1);
    EXPECT_EQ(stratifiedCount(31, 0xFFFFFFFFu, 64, 32), 64);
    EXPECT_EQ(stratifiedCount(0, 0xFFFFFFFFu, 1, 1), 1);
    // 128-bit: GB · 2^32 · Lm is far above 64 bits.
    EXPECT_EQ(stratifiedCount((int64_t{1} << 24) - 1, 0xFFFFFFFFu, 1 << 20, 1 << 24), 1 << 20);
}

TEST(Strata, CountsCoverTheRangeEvenly) {
    // With as many slots as counts, every count occurs exactly once, whatever the place inside the stratum.
    for (const uint32_t place : {0u, 0x80000000u, 0xFFFFFFFFu})
        for (int64_t stratum = 0; stratum < 64; ++stratum)
            EXPECT_EQ(stratifiedCount(stratum, place, 64, 64), stratum + 1);
}

}  // namespace
}  // namespace unmask
