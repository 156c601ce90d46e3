// SPDX-License-Identifier: Apache-2.0
#include "engine/base/noise_keys.h"

#include <gtest/gtest.h>

#include <set>

using namespace unmask;

// Known answers of the Random123 distribution (kat_vectors, philox4x32 10 rounds).
TEST(Philox, MatchesKnownAnswers) {
    EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
              (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
              (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(NoiseKeys, EveryArgumentMatters) {
    const NoiseKeys keys(7);
    std::set<uint32_t> seen;
    for (const uint64_t index : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 33})
        for (const uint32_t visit : {0u, 1u})
            for (uint64_t position = 0; position < 6; ++position)
                for (const NoiseTag tag : {NoiseTag::mask, NoiseTag::count})
                    seen.insert(keys.bits32(tag, index, visit, position));
    EXPECT_EQ(seen.size(), 3u * 2 * 6 * 2);
    EXPECT_NE(NoiseKeys(8).bits32(NoiseTag::mask, 0, 0, 0), keys.bits32(NoiseTag::mask, 0, 0, 0));
}

TEST(NoiseKeys, WordsAreThoseOfOneBlock) {
    const NoiseKeys keys(0x123456789ABCDEFull);
    const uint64_t both = keys.bits64(NoiseTag::shuffle, 42, 0);
    EXPECT_EQ(static_cast<uint32_t>(both), keys.bits32(NoiseTag::shuffle, 42, 0, 0));
    EXPECT_EQ(static_cast<uint32_t>(both >> 32), keys.bits32(NoiseTag::shuffle, 42, 0, 1));
}

TEST(NoiseKeys, OpenUniformNeverTouchesItsEnds) {
    EXPECT_GT(uniformOpen(0), 0.0);
    EXPECT_LT(uniformOpen(0xFFFFFFFFu), 1.0);
}
