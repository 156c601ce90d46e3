// SPDX-License-Identifier: Apache-2.0
// Values worked out by hand from the published formulas, and the properties that people rely on.
#include "ui/charts/smoothing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace unmask::ui {
namespace {

TEST(Smoothing, ExponentialByHand) {
    // w = 0.6: last = 0.4, 1.04, 1.824; divided by 1 - w^n = 0.4, 0.64, 0.784.
    const std::vector<double> out = smoothExponential(std::vector<double>{1, 2, 3}, 0.6);
    EXPECT_DOUBLE_EQ(out[0], 1);
    EXPECT_DOUBLE_EQ(out[1], 1.04 / 0.64);
    EXPECT_DOUBLE_EQ(out[2], 1.824 / 0.784);
}

TEST(Smoothing, ExponentialPassesNonFiniteThroughUncounted) {
    const std::vector<double> out = smoothExponential(std::vector<double>{1, NAN, 2, INFINITY, -INFINITY, 3}, 0.6);
    EXPECT_TRUE(std::isnan(out[1]));
    EXPECT_DOUBLE_EQ(out[2], 1.04 / 0.64) << "as if the NaN were not there";
    EXPECT_EQ(out[3], INFINITY);
    EXPECT_EQ(out[4], -INFINITY);
    EXPECT_DOUBLE_EQ(out[5], 1.824 / 0.784);
}

TEST(Smoothing, ConstantSeriesIsReturnedUnchanged) {
    const double odd = 0.1 + 0.2;  // debiasing alone would change the last digit
    const std::vector<double> values(1000, odd);
    EXPECT_EQ(smoothExponential(values, 0.999), values);
}

TEST(Smoothing, WeightZeroIsTheSeriesAndTheMostIsCapped) {
    const std::vector<double> values{5, 1, 4};
    EXPECT_EQ(smoothExponential(values, 0), values);
    EXPECT_EQ(smoothExponential(values, 7), smoothExponential(values, 0.999));
    for (const double value : smoothExponential(values, 7))
        EXPECT_TRUE(std::isfinite(value));
}

TEST(Smoothing, TimeWeightedByHand) {
    // Weight 0.25: sw = 0.5. Over a range of 1000 a distance of 1 decays by 0.5, one of 999 to nothing.
    const std::vector<double> x{0, 1, 1000};
    const std::vector<double> out = smoothTimeWeighted(x, std::vector<double>{1, 3, 10}, 0.25);
    EXPECT_DOUBLE_EQ(out[0], 1);
    EXPECT_DOUBLE_EQ(out[1], 3.5 / 1.5);
    EXPECT_DOUBLE_EQ(out[2], 10);
}

TEST(Smoothing, TimeWeightedCountsDistanceFromTheLastFinitePoint) {
    const std::vector<double> x{0, 1, 2, 1000};
    const std::vector<double> out = smoothTimeWeighted(x, std::vector<double>{1, NAN, 3, 10}, 0.25);
    EXPECT_TRUE(std::isnan(out[1]));
    EXPECT_DOUBLE_EQ(out[2], (0.25 * 1 + 3) / 1.25);
}

TEST(Smoothing, TimeWeightedIsAlikeForDenseAndSparseLogging) {
    // The same curve logged ten times as often looks the same, which the plain form does not give.
    const auto curve = [](int points) {
        std::vector<double> x(static_cast<size_t>(points));
        std::vector<double> y(x.size());
        for (size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<double>(i) / static_cast<double>(points - 1);
            y[i] = x[i] < 0.5 ? 0 : 1;
        }
        return std::pair{smoothTimeWeighted(x, y, 0.99), smoothExponential(y, 0.99)};
    };
    const auto sparse = curve(1001);
    const auto dense = curve(10001);
    EXPECT_NEAR(sparse.first[600], dense.first[6000], 0.02);
    EXPECT_GT(std::abs(sparse.second[600] - dense.second[6000]), 0.3);
}

TEST(Smoother, ExtendsToTheSameNumbersAsAFreshPass) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise;
    Column x;
    ValueColumn values;
    Smoother smoother;
    const Smoothing smoothing{SmoothingKind::exponential, 0.9};
    std::vector<double> all;
    uint64_t version = 0;
    for (int batch = 0; batch < 40; ++batch) {
        for (int i = 0; i < 37; ++i) {
            const double value = batch < 2 ? 4 : random() % 20 == 0 ? NAN : noise(random);  // constant at first
            all.push_back(value);
            x.append(static_cast<double>(all.size()));
            values.append(value);
        }
        const ValueColumn& out = smoother.update(smoothing, XAxis::step, x, values, ++version);
        const std::vector<double> fresh = smoothExponential(all, 0.9);
        ASSERT_EQ(out.size(), fresh.size());
        for (size_t i = 0; i < fresh.size(); ++i)
            ASSERT_TRUE(out.at(i) == fresh[i] || (std::isnan(out.at(i)) && std::isnan(fresh[i]))) << batch << " " << i;
    }
}

TEST(Smoother, AnotherWeightOrNoneTakesEffect) {
    Column x;
    ValueColumn values;
    for (int i = 0; i < 10; ++i) {
        x.append(i);
        values.append(i * i);
    }
    Smoother smoother;
    const double strong = smoother.update({SmoothingKind::exponential, 0.9}, XAxis::step, x, values, 1).at(9);
    const double weak = smoother.update({SmoothingKind::exponential, 0.1}, XAxis::step, x, values, 1).at(9);
    EXPECT_LT(strong, weak);
    EXPECT_EQ(smoother.update({SmoothingKind::none, 0.9}, XAxis::step, x, values, 1).at(9), 81);
    EXPECT_NE(smoother.update({SmoothingKind::timeWeighted, 0.999}, XAxis::step, x, values, 1).at(9), 81);
}

}  // namespace
}  // namespace unmask::ui
