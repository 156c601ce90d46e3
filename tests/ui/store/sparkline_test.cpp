// SPDX-License-Identifier: Apache-2.0
#include "ui/store/sparkline.h"

#include <gtest/gtest.h>

#include <cmath>

namespace unmask::ui {
namespace {

TEST(Sparkline, StaysShortAndKeepsTheShape) {
    Sparkline line;
    for (int i = 0; i < 100000; ++i)
        line.add(i);
    const auto values = line.values();
    ASSERT_GE(values.size(), 32u);
    ASSERT_LE(values.size(), 65u);
    for (size_t i = 1; i < values.size(); ++i)
        EXPECT_GT(values[i], values[i - 1]);
    EXPECT_LT(values.front(), 2000);
    EXPECT_GT(values.back(), 97000);
}

TEST(Sparkline, NonFiniteValuesArePassedOver) {
    Sparkline line;
    line.add(std::nan(""));
    line.add(INFINITY);
    EXPECT_TRUE(line.values().empty());
    line.add(2);
    EXPECT_EQ(line.values(), std::vector<float>{2});
}

TEST(Sparkline, GoesOnAfterStorage) {
    Sparkline whole, first;
    for (int i = 0; i < 1000; ++i) {
        whole.add(i % 17);
        if (i < 777)
            first.add(i % 17);
    }
    Sparkline second = Sparkline::decode(first.encode());
    for (int i = 777; i < 1000; ++i)
        second.add(i % 17);
    EXPECT_EQ(second.values(), whole.values());
}

TEST(Sparkline, ForeignBytesAreEmpty) {
    EXPECT_TRUE(Sparkline::decode(QByteArray("not a sparkline at all")).values().empty());
    EXPECT_TRUE(Sparkline::decode(QByteArray(24 + 4 * 64, '\xff')).values().empty());
}

}  // namespace
}  // namespace unmask::ui
