// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/column.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace unmask::ui {
namespace {

TEST(Column, ReturnsExactlyWhatWasAppended) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> noise(-1, 1);
    Column column;
    std::vector<double> expected;
    for (int i = 0; i < 5000; ++i) {
        // Straight parts, noisy parts and jumps, so that both kinds of block occur and change in mid-block.
        const bool straight = (i / 700) % 2 == 0;
        const double value = straight ? 1000.0 * i + (i > 3000 ? 17 : 0) : 1000.0 * i + noise(random);
        column.append(value);
        expected.push_back(value);
    }
    for (size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(column.at(i), expected[i]) << i;
    EXPECT_TRUE(column.ascending());
}

TEST(Column, StraightDataCostsTwoNumbersABlock) {
    Column steps;
    Column times;
    std::mt19937_64 random(3);
    double time = 0;
    for (int i = 1; i <= 256 * 1000; ++i) {
        steps.append(i);
        time += 0.1 + 0.001 * static_cast<double>(random() % 100);
        times.append(time);
    }
    EXPECT_LT(steps.bytes(), size_t{100} << 10);
    EXPECT_GT(times.bytes(), size_t{2000000});
}

TEST(Column, NumbersThatAreNoneSurvive) {
    Column column;
    for (const double value : {1.0, 2.0, static_cast<double>(NAN), 4.0, static_cast<double>(INFINITY)})
        column.append(value);
    EXPECT_TRUE(std::isnan(column.at(2)));
    EXPECT_EQ(column.at(3), 4);
    EXPECT_EQ(column.at(4), INFINITY);
    EXPECT_FALSE(column.ascending());
}

TEST(Column, TruncatedAndExtendedAgain) {
    for (const size_t keep : {size_t{0}, size_t{1}, size_t{2}, size_t{255}, size_t{256}, size_t{257}, size_t{600}}) {
        Column column;
        for (int i = 0; i < 700; ++i)
            column.append(3.0 * i);
        column.truncate(keep);
        ASSERT_EQ(column.size(), keep);
        for (int i = 0; i < 300; ++i)
            column.append(3.0 * static_cast<double>(keep) + 7.0 * i);
        for (size_t i = 0; i < column.size(); ++i)
            ASSERT_EQ(column.at(i), i < keep ? 3.0 * static_cast<double>(i)
                                             : 3.0 * static_cast<double>(keep) + 7.0 * static_cast<double>(i - keep))
                << keep << " " << i;
    }
}

TEST(Column, LowerBoundIsTheFirstNotLess) {
    Column column;
    for (int i = 0; i < 1000; ++i)
        column.append(i / 2);  // pairs of equal values
    EXPECT_EQ(column.lowerBound(-5), 0U);
    EXPECT_EQ(column.lowerBound(10), 20U);
    EXPECT_EQ(column.lowerBound(10.5), 22U);
    EXPECT_EQ(column.lowerBound(499), 998U);
    EXPECT_EQ(column.lowerBound(1e9), 1000U);
}

}  // namespace
}  // namespace unmask::ui
