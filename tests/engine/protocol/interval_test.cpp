// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/interval.h"

#include <gtest/gtest.h>

using namespace unmask;

TEST(Interval, ReadsEveryForm) {
    EXPECT_EQ(parseInterval("500").orThrow(), Interval::steps(500));
    EXPECT_EQ(parseInterval("1e3").orThrow(), Interval::steps(1000));
    EXPECT_EQ(parseInterval("20 steps").orThrow(), Interval::steps(20));
    EXPECT_EQ(parseInterval("10min").orThrow(), (Interval{Interval::Unit::seconds, 600}));
    EXPECT_EQ(parseInterval("0.5h").orThrow(), (Interval{Interval::Unit::seconds, 1800}));
    EXPECT_EQ(parseInterval("1epoch").orThrow(), (Interval{Interval::Unit::epochs, 1}));
    EXPECT_EQ(parseInterval("never").orThrow(), Interval::never());
}

TEST(Interval, WritesWhatItReads) {
    for (const char* text : {"500", "10min", "90s", "2h", "1epoch", "2.5epochs", "never"})
        EXPECT_EQ(formatInterval(parseInterval(text).orThrow()), text);
}

TEST(Interval, RefusesTheRest) {
    for (const char* text : {"", "0", "-5", "10 minutes ago", "epoch", "min", "1.5", "ten", "5steps more"})
        EXPECT_FALSE(parseInterval(text).ok()) << text;
}
