// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/inverse_t.h"

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

TEST(InverseT, SmallestNoiseLevelBoundsTheWeight) {
    const auto objective = makeObjective({.kind = ObjectiveKind::inverseT, .noiseFloor = 0.25}, NoiseKeys(1), kMask);
    for (int64_t step = 0; step < 50; ++step) {
        const auto batch = batchOf(kSamples, 8, step);
        objective->beginStep(batch);
        const auto n = static_cast<double>(objective->figures().normaliser);
        for (const double weight : objective->corrupt(microBatch(batch, 0, batch.rows)).weights) {
            EXPECT_LE(weight * n, 4.0 + 1e-9);
            EXPECT_GE(weight * n, 1.0 - 1e-9);
        }
    }
}

TEST(InverseT, MasksAShareOfTAndStrataSpreadT) {
    const auto objective = makeObjective({.kind = ObjectiveKind::inverseT}, NoiseKeys(3), kMask);
    std::vector<test::Sample> samples;
    for (int64_t j = 0; j < 64; ++j)
        samples.push_back({j, 256});
    const auto batch = batchOf(samples, 256, 9);
    objective->beginStep(batch);
    const auto noisy = objective->corrupt(microBatch(batch, 0, 64));
    std::map<int32_t, int> counts;
    for (const int32_t row : noisy.maskedRows)
        ++counts[row / 256];
    std::vector<int> sorted;
    for (const auto& [row, count] : counts)
        sorted.push_back(count);
    std::sort(sorted.begin(), sorted.end());
    // Stratified over 64 slots: the j-th smallest share is near (j + 1/2) / 64.
    for (size_t j = 0; j < sorted.size(); ++j)
        EXPECT_NEAR(sorted[j] / 256.0, (static_cast<double>(j) + 0.5) / 64, 0.1);
    EXPECT_NEAR(static_cast<double>(noisy.masked) / (64 * 256), 0.5, 0.02);
}

}  // namespace
}  // namespace unmask
