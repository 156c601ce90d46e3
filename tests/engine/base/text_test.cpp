// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

using namespace unmask;

TEST(Text, NumbersSurviveACommaLocale) {
    const std::string old = std::setlocale(LC_ALL, nullptr);
    std::setlocale(LC_ALL, "de_DE.UTF-8");  // has an effect only where the locale is installed
    EXPECT_EQ(formatNumber(0.1), "0.1");
    EXPECT_EQ(parseNumber("3e-4"), 3e-4);
    EXPECT_EQ(parseNumber("0,5"), std::nullopt);
    EXPECT_EQ(formatBytes(1536), "1.5 KiB");
    std::setlocale(LC_ALL, old.c_str());
}

TEST(Text, ShortestTextReadsBackExactly) {
    for (const double value : {1.0 / 3, 5e-324, std::numeric_limits<double>::max(), -0.0, 2.4142135623730951})
        EXPECT_EQ(parseNumber(formatNumber(value)), value);
    EXPECT_EQ(formatNumber(std::nan("")), "NaN");
    EXPECT_EQ(formatNumber(-HUGE_VAL), "-Infinity");
}

TEST(Text, IntegersMayBeWrittenForPeople) {
    EXPECT_EQ(parseInteger("1_000"), 1000);
    EXPECT_EQ(parseInteger("1e3"), 1000);
    EXPECT_EQ(parseInteger("-7"), -7);
    for (const char* text : {"", "1.5", "12x", "1e400", "9223372036854775808"})
        EXPECT_EQ(parseInteger(text), std::nullopt) << text;
}

TEST(Text, UnitsForPeople) {
    EXPECT_EQ(formatBytes(3.2 * 1024 * 1024 * 1024), "3.2 GiB");
    EXPECT_EQ(formatCount(162220800), "162.2 M");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatDuration(45), "45 s");
    EXPECT_EQ(formatDuration(21 * 60), "21 min");
    EXPECT_EQ(formatDuration(3 * 3600 + 5 * 60), "3 h 05 min");
    EXPECT_EQ(formatDuration(std::nan("")), "unknown");
}

TEST(Text, FindsTheFirstInvalidByte) {
    EXPECT_EQ(firstInvalidUtf8("plain, ü, 漢, 🙂"), std::nullopt);
    EXPECT_EQ(firstInvalidUtf8("ab\xFF"), 2u);
    EXPECT_EQ(firstInvalidUtf8("\xC0\xAF"), 0u);          // overlong
    EXPECT_EQ(firstInvalidUtf8("x\xED\xA0\x80"), 1u);     // surrogate
    EXPECT_EQ(firstInvalidUtf8("\xF4\x90\x80\x80"), 0u);  // beyond U+10FFFF
    EXPECT_EQ(firstInvalidUtf8("ab\xE6\xBC"), 2u);        // cut off
    EXPECT_EQ(toValidUtf8("a\xFFz"), "a\xEF\xBF\xBDz");
}

TEST(Text, SuggestsTheNearestName) {
    const std::vector<std::string> names{"steps", "seed", "learning_rate"};
    EXPECT_EQ(nearestName("setps", names), "steps");
    EXPECT_EQ(nearestName("learningrate", names), "learning_rate");
    EXPECT_EQ(nearestName("quux_and_more", names), std::nullopt);
}

TEST(Text, ListsAreSplitAtCommasAndBlanks) {
    EXPECT_EQ(splitList(" norm,head ,, rotary\t"), (std::vector<std::string>{"norm", "head", "rotary"}));
    EXPECT_TRUE(splitList(" , ").empty());
}

TEST(Text, ForeignTextCannotSteerTheTerminal) {
    EXPECT_EQ(harmless("a\x1b[31mb\tc\n"), "a\xEF\xBF\xBD[31mb\tc\n");
    EXPECT_EQ(harmless("x\xC2\x9By"), "x\xEF\xBF\xBDy");  // CSI as one character
    EXPECT_EQ(harmless("ä 文"), "ä 文");
    EXPECT_EQ(harmless("\xFF"), "\xEF\xBF\xBD");
}
