// SPDX-License-Identifier: Apache-2.0
// What kernels and references share: the random function against the shelf's, and stochastic rounding.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

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
    std::set<uint32_t> seen;
    for (const int64_t element : {16, 24})
        for (const uint32_t slab : {3u, 4u})
            for (const int64_t update : {7, 8}) {
                const RoundingBits bits = roundingBits(element, slab, update, 42, 9);
                for (const PhiloxBlock& block : {bits.weights, bits.m, bits.v})
                    for (int i = 0; i < 4; ++i) {
                        seen.insert(block.words[i]);
                        EXPECT_EQ(randomOf(block, 2 * i) | randomOf(block, 2 * i + 1) << 16, block.words[i]);
                    }
            }
    EXPECT_EQ(seen.size(), 2u * 2 * 2 * 3 * 4);
}

}  // namespace
}  // namespace unmask::kernels
