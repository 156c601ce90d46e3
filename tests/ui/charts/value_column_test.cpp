// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/value_column.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace unmask::ui {
namespace {

std::vector<ValueColumn::BlockStats> plainStats(const ValueColumn& column) {
    std::vector<ValueColumn::BlockStats> all((column.size() + kBlock - 1) / kBlock);
    for (size_t i = 0; i < column.size(); ++i) {
        ValueColumn::BlockStats& stats = all[i / kBlock];
        const double value = column.at(i);
        if (!std::isfinite(value))
            continue;
        ++stats.finite;
        if (value < stats.min)
            stats = {value, stats.max, static_cast<uint16_t>(i % kBlock), stats.maxAt, stats.finite};
        if (value > stats.max)
            stats = {stats.min, value, stats.minAt, static_cast<uint16_t>(i % kBlock), stats.finite};
    }
    return all;
}

TEST(ValueColumn, PyramidEqualsAPassOverAllPoints) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> noise;
    ValueColumn column;
    for (int i = 0; i < 3000; ++i)
        column.append(random() % 50 == 0 ? NAN : random() % 70 == 0 ? INFINITY : noise(random));
    EXPECT_EQ(column.blocks(), plainStats(column));
    for (const size_t keep : {size_t{2999}, size_t{1000}, size_t{512}, size_t{1}, size_t{0}}) {
        column.truncate(keep);
        EXPECT_EQ(column.blocks(), plainStats(column)) << keep;
    }
    column.append(4);
    EXPECT_EQ(column.blocks(), plainStats(column));
}

TEST(ValueColumn, ManyAtOnceAreTheSameAsOneByOne) {
    std::mt19937_64 random(12);
    std::normal_distribution<double> noise;
    std::vector<double> values(5000);
    for (double& value : values)
        value = std::round(noise(random) * 50);  // many are equal: the first of them counts
    for (const size_t bad : {size_t{700}, size_t{701}, size_t{2900}})
        values[bad] = bad % 2 ? INFINITY : NAN;
    for (const size_t piece : {size_t{1}, size_t{100}, size_t{256}, size_t{1000}, size_t{5000}}) {
        ValueColumn column;
        for (size_t i = 0; i < values.size(); i += piece)
            column.append(std::span(values).subspan(i, std::min(piece, values.size() - i)));
        ASSERT_EQ(column.size(), values.size());
        EXPECT_EQ(column.blocks(), plainStats(column)) << piece;
        EXPECT_FALSE(column.allFinite(700 / kBlock));
        EXPECT_TRUE(column.allFinite(0));
        EXPECT_TRUE(column.allFinite(values.size() / kBlock)) << "the last block is not full";
    }
}

}  // namespace
}  // namespace unmask::ui
