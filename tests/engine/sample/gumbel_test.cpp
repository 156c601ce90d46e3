// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/gumbel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace unmask {
namespace {

TEST(Gumbel, IsFiniteAtBothEndsAndKeepsTheUpperTail) {
    EXPECT_TRUE(std::isfinite(gumbelFromBits(0)));
    EXPECT_TRUE(std::isfinite(gumbelFromBits(~uint64_t{0})));
    EXPECT_GT(gumbelFromBits(0), 44);  // 32 random bits would end near 22
    EXPECT_GT(gumbelFromBits(1), gumbelFromBits(2));
}

TEST(Gumbel, DependsOnSeedRequestStepPositionAndToken) {
    const double base = GumbelNoise(1, 2).at(3, 4, 5);
    EXPECT_EQ(base, GumbelNoise(1, 2).at(3, 4, 5));
    EXPECT_NE(base, GumbelNoise(9, 2).at(3, 4, 5));
    EXPECT_NE(base, GumbelNoise(1, 9).at(3, 4, 5));
    EXPECT_NE(base, GumbelNoise(1, 2).at(9, 4, 5));
    EXPECT_NE(base, GumbelNoise(1, 2).at(3, 9, 5));
    EXPECT_NE(base, GumbelNoise(1, 2).at(3, 4, 9));
}

// argmax(z / T + G) draws from softmax(z / T): χ² over groups of a large vocabulary.
TEST(Gumbel, ArgmaxFollowsTheSoftmaxOfALargeVocabulary) {
    constexpr int kVocabulary = 126000, kGroups = 20, kDraws = 300;
    for (const double temperature : {0.5, 1.0, 1.5}) {
        std::vector<double> logits(kVocabulary);
        std::vector<double> expected(kGroups, 0);
        double sum = 0;
        for (int v = 0; v < kVocabulary; ++v) {
            logits[static_cast<size_t>(v)] = 0.5 * std::sin(0.001 * v);
            sum += std::exp(logits[static_cast<size_t>(v)] / temperature);
        }
        for (int v = 0; v < kVocabulary; ++v)
            expected[static_cast<size_t>(v / (kVocabulary / kGroups))] +=
                kDraws * std::exp(logits[static_cast<size_t>(v)] / temperature) / sum;
        std::vector<double> found(kGroups, 0);
        const GumbelNoise noise(77, static_cast<uint64_t>(temperature * 10));
        for (uint32_t draw = 0; draw < kDraws; ++draw) {
            int best = 0;
            double bestScore = -1e300;
            for (int v = 0; v < kVocabulary; v += 7) {  // a seventh of the ids: the groups keep their shares
                const double score =
                    logits[static_cast<size_t>(v)] / temperature + noise.at(0, draw, static_cast<uint32_t>(v));
                if (score > bestScore) {
                    bestScore = score;
                    best = v;
                }
            }
            found[static_cast<size_t>(best / (kVocabulary / kGroups))] += 1;
        }
        double chiSquare = 0;
        for (int g = 0; g < kGroups; ++g)
            chiSquare += std::pow(found[static_cast<size_t>(g)] - expected[static_cast<size_t>(g)], 2) /
                         expected[static_cast<size_t>(g)];
        EXPECT_LT(chiSquare, 43.8) << temperature;  // 19 degrees of freedom, p = 0.001
    }
}

}  // namespace
}  // namespace unmask
