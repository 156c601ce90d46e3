// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/axis_ticks.h"

#include <gtest/gtest.h>

#include <QLocale>
#include <cmath>

namespace unmask::ui {
namespace {

std::string labels(const std::vector<Tick>& ticks) {
    std::string all;
    for (const Tick& tick : ticks)
        if (!tick.label.isEmpty())
            all += (all.empty() ? "" : " | ") + tick.label.toStdString();
    return all;
}

TEST(AxisTicks, LinearLabelsAreRoundAndShort) {
    EXPECT_EQ(labels(linearTicks(0, 18300, 5)), "0 | 5,000 | 10,000 | 15,000");
    EXPECT_EQ(labels(linearTicks(2.4, 5.6, 5)), "2.5 | 3.0 | 3.5 | 4.0 | 4.5 | 5.0 | 5.5");
    EXPECT_EQ(labels(linearTicks(0, 1.2e9, 4)), "0 | 0.2 B | 0.4 B | 0.6 B | 0.8 B | 1.0 B | 1.2 B");
    EXPECT_EQ(labels(linearTicks(0, 250000, 3)), "0 | 100 k | 200 k");
    EXPECT_EQ(labels(linearTicks(0, 3e-4, 3)), "0 | 1e-4 | 2e-4 | 3e-4");
    EXPECT_EQ(labels(linearTicks(-0.1, 0.1, 4)), "-0.10 | -0.05 | 0.00 | 0.05 | 0.10");
}

TEST(AxisTicks, LogLabelsAreDecadesInsideTheRange) {
    EXPECT_EQ(labels(logTicks(-4, 2, 8)), "1e-4 | 0.001 | 0.01 | 0.1 | 1 | 10 | 100");
    for (const Tick& tick : logTicks(-1.3, 2.2, 8)) {
        EXPECT_GE(tick.at, -1.3);
        EXPECT_LE(tick.at, 2.2);
    }
    EXPECT_EQ(labels(logTicks(std::log10(2), std::log10(6), 5)), "2 | 3 | 4 | 5 | 6");
    EXPECT_LE(logTicks(-200, 200, 6).size(), 20U);
}

TEST(AxisTicks, DurationsUseClockSteps) {
    EXPECT_EQ(labels(durationTicks(0, 100, 5)), "0 s | 30 s | 1:00 | 1:30");
    EXPECT_EQ(labels(durationTicks(0, 3600 * 2, 5)), "0 min | 30 min | 1:00 | 1:30 | 2:00");
    EXPECT_EQ(labels(durationTicks(0, 86400 * 4, 5)), "0 d | 1 d | 2 d | 3 d | 4 d");
    EXPECT_EQ(labels(durationTicks(0, 2, 4)), "0.0 s | 0.5 s | 1.0 s | 1.5 s | 2.0 s");
}

TEST(AxisTicks, ClockTicksStandOnLocalTimes) {
    qputenv("TZ", "Asia/Kolkata");  // half an hour off
    tzset();
    const std::vector<Tick> ticks = clockTicks(1796200000, 1796200000 + 6 * 3600, 6);
    ASSERT_GE(ticks.size(), 4U);
    for (const Tick& tick : ticks)
        EXPECT_TRUE(tick.label.endsWith(QLatin1String(":00")) || tick.label.contains(QLatin1Char(' ')))
            << tick.label.toStdString();
    qunsetenv("TZ");
    tzset();
}

TEST(AxisTicks, AbsurdRangesEnd) {
    EXPECT_LE(linearTicks(0, INFINITY, 5).size(), 100U);
    EXPECT_LE(linearTicks(1e15, 1e15 + 0.001, 5).size(), 100U);
    EXPECT_LE(clockTicks(0, 1e12, 5).size(), 100U);
    EXPECT_EQ(niceStep(0, 5), 1);
}

}  // namespace
}  // namespace unmask::ui
