// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/masked_diffusion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/objective/registry.h"
#include "tests/engine/objective/batches.h"

namespace unmask {
namespace {

constexpr int32_t kMask = 9999;
using test::batchOf;
using test::microBatch;

class BothForms : public testing::TestWithParam<ObjectiveKind> {
 protected:
    std::unique_ptr<Objective> make(bool excludeMask = true) const {
        return makeObjective({.kind = GetParam(), .excludeMaskLogit = excludeMask}, NoiseKeys(42), kMask);
    }
};

const std::vector<test::Sample> kSamples{{100, 8}, {7, 5}, {31, 8}, {4, 1}, {999, 6}, {12, 8}, {55, 3}, {56, 8}};

struct Scored {
    int32_t target;
    double weight;
    bool operator==(const Scored&) const = default;
};
// What is scored, by global flat position.
std::map<int64_t, Scored> scoredSet(const Objective& objective, const GlobalBatch& batch, int64_t microRows) {
    std::map<int64_t, Scored> all;
    for (int64_t row = 0; row < batch.rows; row += microRows) {
        const auto noisy = objective.corrupt(microBatch(batch, row, std::min(microRows, batch.rows - row)));
        EXPECT_TRUE(std::is_sorted(noisy.maskedRows.begin(), noisy.maskedRows.end()));
        for (size_t i = 0; i < noisy.maskedRows.size(); ++i)
            all[row * batch.length + noisy.maskedRows[i]] = {noisy.targets[i], noisy.weights[i]};
    }
    return all;
}

TEST_P(BothForms, MasksAndWeightsAreEqualForAnySplit) {
    const auto objective = make();
    const auto batch = batchOf(kSamples, 8, 17);
    objective->beginStep(batch);
    const auto whole = scoredSet(*objective, batch, 8);
    EXPECT_FALSE(whole.empty());
    for (const int64_t rows : {1, 2, 3, 4, 5})
        EXPECT_EQ(whole, scoredSet(*objective, batch, rows)) << rows;
}

TEST_P(BothForms, MasksBelongToTheSampleNotToItsPlace) {
    const auto objective = make();
    auto batch = batchOf({{100, 8}, {7, 5}}, 16, 3);
    batch.slots[1].row = 0;  // packed behind the first one in the same row
    batch.slots[1].begin = 8;
    auto apart = batchOf({{100, 8}, {7, 5}}, 16, 3);
    objective->beginStep(batch);
    const auto packed = objective->corrupt(microBatch(batch, 0, 1));
    const auto separate = objective->corrupt(microBatch(apart, 0, 2));
    ASSERT_EQ(packed.maskedRows.size(), separate.maskedRows.size());
    for (size_t i = 0; i < packed.maskedRows.size(); ++i) {
        const int32_t at = separate.maskedRows[i];
        EXPECT_EQ(packed.maskedRows[i], at < 16 ? at : at - 16 + 8);
        EXPECT_EQ(packed.weights[i], separate.weights[i]);
    }
}

TEST_P(BothForms, NothingOutsideTheSamplesIsMasked) {
    const auto objective = make();
    const auto batch = batchOf({{1, 5}, {2, 3}}, 8);
    objective->beginStep(batch);
    const auto micro = microBatch(batch, 0, 2);
    const auto noisy = objective->corrupt(micro);
    for (size_t at = 0; at < micro.tokens.size(); ++at) {
        const bool scored = std::binary_search(noisy.maskedRows.begin(), noisy.maskedRows.end(), static_cast<int>(at));
        EXPECT_EQ(noisy.tokens[at], scored ? kMask : micro.tokens[at]);
        if (at % 8 >= (at < 8 ? 5u : 3u)) {
            EXPECT_FALSE(scored) << at;
        }
    }
}

TEST_P(BothForms, EpochChangesTheMasksAndNothingElseIsNeededToResume) {
    const auto first = batchOf(kSamples, 8, 5, 0), again = batchOf(kSamples, 8, 5, 1);
    const auto objective = make();
    objective->beginStep(first);
    const auto epoch0 = scoredSet(*objective, first, 8);
    objective->beginStep(again);
    EXPECT_NE(epoch0, scoredSet(*objective, again, 8));
    const auto fresh = make();  // as after a resume: only the batch is known
    fresh->beginStep(first);
    EXPECT_EQ(epoch0, scoredSet(*fresh, first, 8));
}

TEST_P(BothForms, EmptySamplesAreDroppedAndCounted) {
    const auto objective = make();
    auto batch = batchOf({{1, 8}, {2, 0}, {3, 4}}, 8);
    objective->beginStep(batch);
    EXPECT_EQ(objective->figures().droppedSamples, 1);
    EXPECT_EQ(objective->figures().normaliser, 12);
    const auto noisy = objective->corrupt(microBatch(batch, 0, 3));
    for (const int32_t row : noisy.maskedRows)
        EXPECT_TRUE(row < 8 || row >= 16);
}

TEST_P(BothForms, LiteralMaskIsScoredOnlyWhenDrawnAndPredictable) {
    const auto batch = batchOf({{3, 8}}, 8);
    for (const bool exclude : {true, false}) {
        const auto objective = make(exclude);
        objective->beginStep(batch);
        auto micro = microBatch(batch, 0, 1);
        const auto clean = objective->corrupt(micro);
        ASSERT_FALSE(clean.maskedRows.empty());
        ASSERT_LT(clean.maskedRows.size(), 8u);
        const int32_t drawn = clean.maskedRows.front();
        for (int32_t at = 0; at < 8; ++at)  // a literal MASK wherever nothing is drawn, and at one drawn place
            if (at == drawn || !std::binary_search(clean.maskedRows.begin(), clean.maskedRows.end(), at))
                micro.tokens[static_cast<size_t>(at)] = kMask;
        const auto noisy = objective->corrupt(micro);
        EXPECT_EQ(noisy.masked, clean.masked);
        EXPECT_EQ(noisy.maskedRows.size(), clean.maskedRows.size() - (exclude ? 1 : 0));
        if (exclude) {
            EXPECT_FALSE(std::binary_search(noisy.maskedRows.begin(), noisy.maskedRows.end(), drawn));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Objectives, BothForms, testing::Values(ObjectiveKind::exactCount, ObjectiveKind::inverseT),
                         [](const auto& kind) { return std::string(wordOf(kind.param)); });

}  // namespace
}  // namespace unmask
