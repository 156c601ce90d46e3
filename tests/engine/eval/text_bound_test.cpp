// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/text_bound.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

namespace unmask {
namespace {

constexpr int32_t kMask = 99;

// A toy model whose loss at a position depends on the whole masked set.
std::vector<double> toyLosses(std::span<const int32_t> tokens, std::span<const int32_t> positions,
                              std::span<const int32_t> targets) {
    unsigned set = 0;
    for (size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i] == kMask)
            set |= 1u << i;
    std::vector<double> losses;
    for (size_t r = 0; r < positions.size(); ++r) {
        EXPECT_EQ(tokens[static_cast<size_t>(positions[r])], kMask);
        EXPECT_EQ(targets[r], 10 + positions[r]);
        losses.push_back(1 + 0.5 * std::sin(1.3 * positions[r] + 0.7 * set));
    }
    return losses;
}

std::vector<int32_t> text(int length) {
    std::vector<int32_t> tokens(static_cast<size_t>(length));
    std::iota(tokens.begin(), tokens.end(), 10);
    return tokens;
}

double binomial(int n, int k) {
    return k == 0 ? 1 : binomial(n - 1, k - 1) * n / k;
}

// Mean over counts of L/n times the mean over subsets of the sum of losses.
double enumerated(int prompt, int length) {
    double bound = 0;
    for (unsigned set = 1; set < 1u << length; ++set) {
        auto tokens = text(prompt + length);
        std::vector<int32_t> positions, targets;
        for (int i = 0; i < length; ++i)
            if (set >> i & 1u) {
                positions.push_back(prompt + i);
                targets.push_back(tokens[static_cast<size_t>(prompt + i)]);
                tokens[static_cast<size_t>(prompt + i)] = kMask;
            }
        const auto losses = toyLosses(tokens, positions, targets);
        bound += std::accumulate(losses.begin(), losses.end(), 0.0) / std::popcount(set) /
                 binomial(length, std::popcount(set));
    }
    return bound;
}

TEST(TextBound, AgreesWithEnumeration) {
    for (const int prompt : {0, 2}) {
        constexpr int kTexts = 400;
        double sum = 0, squares = 0;
        for (int t = 0; t < kTexts; ++t) {
            const double bound =
                textBound(toyLosses, text(prompt + 6),
                          {.promptLength = prompt, .draws = 12, .text = static_cast<uint64_t>(t), .maskToken = kMask});
            sum += bound;
            squares += bound * bound;
        }
        const double mean = sum / kTexts;
        const double error = std::sqrt((squares / kTexts - mean * mean) / kTexts);
        EXPECT_NEAR(mean, enumerated(prompt, 6), 3 * error);
        EXPECT_LT(error, 0.02 * mean);
    }
}

TEST(TextBound, OneTokenIsExactAndAnEmptyAnswerCostsNothing) {
    EXPECT_DOUBLE_EQ(textBound(toyLosses, text(4), {.promptLength = 3, .draws = 1, .maskToken = kMask}),
                     enumerated(3, 1));
    EXPECT_EQ(textBound(toyLosses, text(4), {.promptLength = 4, .maskToken = kMask}), 0);
}

TEST(TextBound, SameSeedSameFigure) {
    const TextBoundOptions options{.draws = 3, .seed = 5, .maskToken = kMask};
    EXPECT_EQ(textBound(toyLosses, text(8), options), textBound(toyLosses, text(8), options));
}

}  // namespace
}  // namespace unmask
