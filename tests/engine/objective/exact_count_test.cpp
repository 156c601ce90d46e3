// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/exact_count.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/objective/registry.h"
#include "tests/engine/objective/batches.h"

namespace unmask {
namespace {

constexpr int32_t kMask = 9999;
const std::vector<test::Sample> kSamples{{100, 8}, {7, 5}, {31, 8}, {4, 1}, {999, 6}, {12, 8}, {55, 3}, {56, 8}};
using test::batchOf;
using test::microBatch;

TEST(ExactCount, CountAndWeightFollowTheFormula) {
    const auto objective = makeObjective({}, NoiseKeys(1), kMask);
    const auto batch = batchOf(kSamples, 8, 2);
    objective->beginStep(batch);
    int64_t maskable = 0;
    for (const auto& sample : kSamples)
        maskable += sample.length;
    EXPECT_EQ(objective->figures().normaliser, maskable);
    const auto noisy = objective->corrupt(microBatch(batch, 0, batch.rows));
    std::map<int32_t, int> counts;
    for (const int32_t row : noisy.maskedRows)
        ++counts[row / 8];
    ASSERT_EQ(counts.size(), kSamples.size());  // no empty masked set while Lm >= 1
    for (size_t i = 0; i < noisy.maskedRows.size(); ++i) {
        const int32_t sample = noisy.maskedRows[i] / 8;
        EXPECT_DOUBLE_EQ(noisy.weights[i], static_cast<double>(kSamples[static_cast<size_t>(sample)].length) /
                                               counts[sample] / static_cast<double>(maskable));
    }
}

// The keys do not depend on the count, so the masks of a sample are nested: more noise only adds to what is hidden.
TEST(ExactCount, MaskedSetsOfASampleAreNested) {
    const auto objective = makeObjective({}, NoiseKeys(5), kMask);
    std::map<size_t, std::vector<int32_t>> byCount;
    for (int64_t step = 0; step < 200; ++step) {  // another step puts the sample into another stratum
        const auto batch = batchOf({{1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}, {6, 8}, {7, 8}, {8, 8}}, 8, step);
        objective->beginStep(batch);
        const auto noisy = objective->corrupt(microBatch(batch, 0, 1));
        const auto known = byCount.emplace(noisy.maskedRows.size(), noisy.maskedRows);
        EXPECT_EQ(known.first->second, noisy.maskedRows);
    }
    ASSERT_EQ(byCount.size(), 8u);
    for (size_t n = 2; n <= 8; ++n)
        EXPECT_TRUE(std::includes(byCount[n].begin(), byCount[n].end(), byCount[n - 1].begin(), byCount[n - 1].end()));
}

}  // namespace
}  // namespace unmask
