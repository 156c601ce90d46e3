// SPDX-License-Identifier: Apache-2.0
// Both forms estimate one bound: E over n uniform on 1..L of (L/n) Σ_{i in M} ℓ_i(M), M a uniform n-subset. A frozen
// toy model has a loss for every masked set, so the bound can be enumerated.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "engine/objective/registry.h"
#include "tests/engine/objective/batches.h"

namespace unmask {
namespace {

constexpr int kLength = 6;

double toyLoss(unsigned maskedSet, int position) {
    return 1 + std::sin(1.7 * position + 0.9 * maskedSet) + 0.2 * std::popcount(maskedSet);
}

double sumOfLosses(unsigned maskedSet) {
    double sum = 0;
    for (int i = 0; i < kLength; ++i)
        if (maskedSet >> i & 1u)
            sum += toyLoss(maskedSet, i);
    return sum;
}

double binomial(int n, int k) {
    return k == 0 ? 1 : binomial(n - 1, k - 1) * n / k;
}

// Per token, by full enumeration of all masked sets.
double exactBound() {
    double bound = 0;
    for (unsigned set = 1; set < 1u << kLength; ++set) {
        const int n = std::popcount(set);
        bound += sumOfLosses(set) / n / binomial(kLength, n);
    }
    return bound / kLength;
}

// The 1/t form with its floor ε: t uniform on [ε, 1], integrated by Simpson's rule.
double inverseTBound(double floor) {
    double bound = 0;
    constexpr int kParts = 2000;
    for (int i = 0; i <= kParts; ++i) {
        const double t = floor + (1 - floor) * i / kParts;
        double inner = 0;
        for (unsigned set = 1; set < 1u << kLength; ++set)
            inner += std::pow(t, std::popcount(set)) * std::pow(1 - t, kLength - std::popcount(set)) * sumOfLosses(set);
        bound += (i == 0 || i == kParts ? 1 : i % 2 == 1 ? 4 : 2) * inner / t / (3.0 * kParts);
    }
    return bound / kLength;
}

struct Case {
    ObjectiveKind kind;
    TimeSampling sampling;
};
class Estimator : public testing::TestWithParam<Case> {};

TEST_P(Estimator, AgreesWithEnumerationWithinThreeStandardErrors) {
    constexpr double kFloor = 1e-3;
    const auto objective = makeObjective(
        {.kind = GetParam().kind, .timeSampling = GetParam().sampling, .noiseFloor = kFloor}, NoiseKeys(2024), 9999);
    constexpr int kSteps = 3000, kSlots = 8;
    double sum = 0, squares = 0;
    for (int64_t step = 0; step < kSteps; ++step) {
        std::vector<test::Sample> samples;
        for (int j = 0; j < kSlots; ++j)
            samples.push_back({step * kSlots + j, kLength});
        const auto batch = test::batchOf(samples, kLength, step);
        objective->beginStep(batch);
        const auto noisy = objective->corrupt(test::microBatch(batch, 0, kSlots));
        std::array<unsigned, kSlots> sets{};
        for (const int32_t row : noisy.maskedRows)
            sets[static_cast<size_t>(row / kLength)] |= 1u << row % kLength;
        double loss = 0;
        for (size_t i = 0; i < noisy.maskedRows.size(); ++i)
            loss += noisy.weights[i] *
                    toyLoss(sets[static_cast<size_t>(noisy.maskedRows[i] / kLength)], noisy.maskedRows[i] % kLength);
        sum += loss;
        squares += loss * loss;
    }
    const double mean = sum / kSteps;
    const double standardError = std::sqrt((squares / kSteps - mean * mean) / kSteps);
    const double expected = GetParam().kind == ObjectiveKind::exactCount ? exactBound() : inverseTBound(kFloor);
    EXPECT_NEAR(mean, expected, 3 * standardError);
    EXPECT_LT(standardError, 0.02 * expected);  // sharp enough to tell a wrong weight
}

INSTANTIATE_TEST_SUITE_P(Forms, Estimator,
                         testing::Values(Case{ObjectiveKind::exactCount, TimeSampling::stratified},
                                         Case{ObjectiveKind::exactCount, TimeSampling::independent},
                                         Case{ObjectiveKind::inverseT, TimeSampling::stratified},
                                         Case{ObjectiveKind::inverseT, TimeSampling::independent}),
                         [](const auto& each) {
                             return std::string(wordOf(each.param.kind)) + "_" +
                                    std::string(wordOf(each.param.sampling));
                         });

TEST(EstimatorBounds, TheTwoFormsHaveOneBound) {
    EXPECT_NEAR(exactBound(), inverseTBound(1e-9), 1e-6);
}

}  // namespace
}  // namespace unmask
