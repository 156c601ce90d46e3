// SPDX-License-Identifier: Apache-2.0
// What kernels and references share: the random function against the shelf's, and stochastic rounding.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "engine/base/noise_keys.h"
#include "kernels/common/host_values.h"
#include "kernels/common/philox.h"
#include "kernels/common/stochastic_rounding.h"

namespace unmask::kernels {
namespace {

TEST(Philox, IsTheShelfsFunction) {
    for (uint32_t i = 0; i < 50; ++i) {
        const uint64_t seed = 0x9876543210ABCDEFu * (i + 1);
        const auto wanted =
            philox4x32({i, i * 77, ~i, 5}, {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
        const PhiloxBlock got = philox(i, i * 77, ~i, 5, seed);
        for (size_t word = 0; word < 4; ++word)
            EXPECT_EQ(got.words[word], wanted[word]);
    }
}

double rounded(float x, uint32_t random) {
    const uint16_t bits = roundStochastically(std::bit_cast<uint32_t>(x), random);
    return valueAt(&bits, 0, DType::bfloat16);
}

TEST(StochasticRounding, TakesTheNeighboursByTheirDistance) {
    for (const float x : {1.001f, -3.3f, 1e-30f, 6e4f}) {
        double mean = 0, low = INFINITY, high = -INFINITY;
        for (uint32_t random = 0; random < 65536; ++random) {
            const double r = rounded(x, random);
            mean += r / 65536, low = std::min(low, r), high = std::max(high, r);
        }
        EXPECT_NEAR(mean, x, 1e-6 * std::abs(x));
        EXPECT_LE(low, x);
        EXPECT_GE(high, x);
        EXPECT_LE(high - low, std::abs(x) / 128);
    }
}

TEST(StochasticRounding, LeavesExactValuesInfinitiesAndNanAlone) {
    for (const uint32_t random : {0u, 1u, 65535u}) {
        EXPECT_EQ(rounded(1.5f, random), 1.5);
        EXPECT_EQ(rounded(-INFINITY, random), -INFINITY);
        EXPECT_TRUE(std::isnan(rounded(std::bit_cast<float>(0x7FFFFFFFu), random)));
    }
}

TEST(StochasticRounding, EveryValueHasItsOwnBits) {
    const PhiloxBlock block = roundingBits(16, 3, 7, 1, 42, 9);
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(randomOf(block, i), block.words[i / 2] >> (16 * (i % 2)) & 0xFFFFu);
    const auto first = [](int64_t element, uint32_t slab, int64_t update, uint32_t which) {
        return roundingBits(element, slab, update, which, 42, 9).words[0];
    };
    EXPECT_NE(first(16, 3, 7, 1), first(24, 3, 7, 1));
    EXPECT_NE(first(16, 3, 7, 1), first(16, 4, 7, 1));
    EXPECT_NE(first(16, 3, 7, 1), first(16, 3, 8, 1));
    EXPECT_NE(first(16, 3, 7, 1), first(16, 3, 7, 2));
}

}  // namespace
}  // namespace unmask::kernels
