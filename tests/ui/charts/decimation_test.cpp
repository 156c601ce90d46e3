// SPDX-License-Identifier: Apache-2.0
// The property behind everything: in each pixel column the drawn line has the first, least, greatest and last of all
// points there, so nothing can hide, at any zoom.
#include "ui/charts/decimation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace unmask::ui {
namespace {

struct Series {
    Column x;
    ValueColumn y;
    void push(double at, double value) {
        x.append(at);
        y.append(value);
    }
};

struct Extent {
    double first = NAN;
    double min = INFINITY;
    double max = -INFINITY;
    double last = NAN;
    void add(double value) {
        if (!std::isfinite(value))
            return;
        if (std::isnan(first))
            first = value;
        last = value;
        min = std::min(min, value);
        max = std::max(max, value);
    }
    bool operator==(const Extent&) const = default;
};

int pixelOf(double x, const DecimationView& view) {
    const double width = (view.to - view.from) / view.columns;
    return std::min(static_cast<int>(std::floor((x - view.from) / width)), view.columns - 1);
}

// Points very near an edge may fall on either side by rounding; such views are not drawn by this test.
void expectColumnsComplete(const Series& series, const DecimationView& view) {
    const Decimated out = decimate(series.x, series.y, view);
    std::map<int, Extent> wanted;
    std::map<int, Extent> drawn;
    for (size_t i = 0; i < series.y.size(); ++i)
        if (series.x.at(i) >= view.from && series.x.at(i) <= view.to)
            wanted[pixelOf(series.x.at(i), view)].add(view.logarithmic ? std::log10(series.y.at(i)) : series.y.at(i));
    for (const QPointF& point : out.line)
        if (point.x() >= view.from && point.x() <= view.to)
            drawn[pixelOf(point.x(), view)].add(point.y());
    std::erase_if(wanted, [](const auto& entry) { return std::isnan(entry.second.first); });
    std::erase_if(drawn, [](const auto& entry) { return std::isnan(entry.second.first); });
    ASSERT_EQ(wanted.size(), drawn.size());
    for (const auto& [pixel, extent] : wanted)
        ASSERT_TRUE(drawn[pixel] == extent) << "pixel column " << pixel;
    EXPECT_LE(out.line.size(), 4 * view.columns + 2 * static_cast<int>(out.marks.size()) + 2);
}

TEST(Decimation, EachPixelColumnIsComplete) {
    std::mt19937_64 random(17);
    std::normal_distribution<double> noise;
    Series series;
    for (int i = 0; i < 100000; ++i)
        series.push(i + 0.25, 3 + noise(random) + (random() % 9000 == 0 ? 50 : 0));
    for (int trial = 0; trial < 60; ++trial) {
        const double from = static_cast<double>(random() % 90000);
        const double span = std::pow(10, 1 + 4 * static_cast<double>(random() % 1000) / 1000);
        expectColumnsComplete(series, {from, from + span, static_cast<int>(50 + random() % 1500), false});
    }
    expectColumnsComplete(series, {0, 100001, 1200, false});
}

TEST(Decimation, WithBadValuesAndOnALogAxisToo) {
    std::mt19937_64 random(19);
    std::normal_distribution<double> noise;
    Series series;
    for (int i = 0; i < 60000; ++i) {
        const bool hole = (i / 3000) % 4 == 1 && random() % 3 == 0;
        series.push(i + 0.25, hole ? NAN : std::exp(noise(random)));
    }
    expectColumnsComplete(series, {0, 60001, 1111, false});
    expectColumnsComplete(series, {0, 60001, 1111, true});
    expectColumnsComplete(series, {3000, 3400, 900, true});
}

TEST(Decimation, ASpikeInAMillionSurvivesEveryZoom) {
    Series series;
    constexpr int kSpikeAt = 654321;
    for (int i = 0; i < 1000000; ++i)
        series.push(i, i == kSpikeAt ? 99 : std::sin(i * 0.001));
    for (double span = 1000000; span >= 10; span /= 3) {
        const double from = std::clamp(kSpikeAt - span * 0.37, 0.0, 1000000 - span);
        const Decimated out = decimate(series.x, series.y, {from, from + span, 1200, false});
        EXPECT_TRUE(std::any_of(out.line.begin(), out.line.end(), [](const QPointF& p) { return p.y() == 99; }))
            << span;
    }
}

TEST(Decimation, GapsBreakTheLineAndAreMarkedOncePerColumn) {
    Series series;
    for (int i = 0; i < 100; ++i)
        series.push(i, i >= 40 && i < 60 ? NAN : i);
    const Decimated out = decimate(series.x, series.y, {0, 99, 1000, false});
    const auto breaks =
        std::count_if(out.line.begin(), out.line.end(), [](const QPointF& p) { return std::isnan(p.y()); });
    EXPECT_EQ(breaks, 1);
    EXPECT_EQ(out.marks.size(), 20U);
    EXPECT_EQ(out.marks.front().y, 39) << "at the last good value";
    const Decimated coarse = decimate(series.x, series.y, {0, 99, 10, false});
    EXPECT_LE(coarse.marks.size(), 3U);
}

TEST(Decimation, MarksKnowTheirKind) {
    Series series;
    for (const double value :
         {1.0, static_cast<double>(NAN), static_cast<double>(INFINITY), -static_cast<double>(INFINITY), 0.0, -2.0, 5.0})
        series.push(static_cast<double>(series.y.size()), value);
    const Decimated linear = decimate(series.x, series.y, {0, 6, 600, false});
    ASSERT_EQ(linear.marks.size(), 3U);
    EXPECT_TRUE(linear.marks[0].nan);
    EXPECT_TRUE(linear.marks[1].plusInfinity);
    EXPECT_TRUE(linear.marks[2].minusInfinity);
    const Decimated log = decimate(series.x, series.y, {0, 6, 600, true});
    ASSERT_EQ(log.marks.size(), 5U);
    EXPECT_TRUE(log.marks[3].notPositive);
    EXPECT_EQ(log.line.constLast().y(), std::log10(5));
    const Decimated merged = decimate(series.x, series.y, {0, 6, 1, true});
    ASSERT_EQ(merged.marks.size(), 1U);
    EXPECT_TRUE(merged.marks[0].nan && merged.marks[0].plusInfinity && merged.marks[0].minusInfinity &&
                merged.marks[0].notPositive);
}

TEST(Decimation, LonePointsAreListed) {
    Series series;
    for (const double value : {static_cast<double>(NAN), 2.0, static_cast<double>(NAN), 3.0, 4.0})
        series.push(static_cast<double>(series.y.size()), value);
    const Decimated out = decimate(series.x, series.y, {0, 4, 400, false});
    ASSERT_EQ(out.lonePoints.size(), 1);
    EXPECT_EQ(out.lonePoints[0], QPointF(1, 2));
    EXPECT_EQ(out.marks.front().y, 2) << "nothing good before: the height of the first good value";
}

TEST(Decimation, LineReachesOverBothBorders) {
    Series series;
    for (int i = 0; i < 100; ++i)
        series.push(i, i);
    const Decimated out = decimate(series.x, series.y, {40.5, 50.5, 300, false});
    EXPECT_EQ(out.line.front().x(), 40);
    EXPECT_EQ(out.line.back().x(), 51);
    EXPECT_EQ(out.points, 10U);
    const Decimated between = decimate(series.x, series.y, {40.2, 40.8, 300, false});
    EXPECT_EQ(between.line.size(), 2) << "a view between two points still shows their line";
    EXPECT_EQ(between.points, 0U);
}

TEST(Decimation, AClockThatRanBackwardsKeepsItsOrder) {
    Series series;
    for (const double at : {0.0, 1.0, 2.0, 1.5, 3.0})
        series.push(at, static_cast<double>(series.y.size()));
    ASSERT_FALSE(series.x.ascending());
    const Decimated out = decimate(series.x, series.y, {0, 3, 300, false});
    ASSERT_EQ(out.line.size(), 5);
    EXPECT_EQ(out.line[3], QPointF(1.5, 3));
}

TEST(Decimation, NothingAndOddViewsAreHarmless) {
    Series series;
    EXPECT_TRUE(decimate(series.x, series.y, {0, 1, 100, false}).line.isEmpty());
    series.push(5, 1);
    EXPECT_EQ(decimate(series.x, series.y, {4, 6, 100, false}).lonePoints.size(), 1);
    EXPECT_TRUE(decimate(series.x, series.y, {6, 4, 100, false}).line.isEmpty());
    EXPECT_TRUE(decimate(series.x, series.y, {4, 6, 0, false}).line.isEmpty());
    EXPECT_TRUE(decimate(series.x, series.y, {NAN, NAN, 10, false}).line.isEmpty());
}

TEST(Decimation, StatsOfAPixelColumn) {
    Series series;
    for (int i = 0; i < 1000; ++i)
        series.push(i, i == 500 ? NAN : i);
    const ColumnStats stats = statsBetween(series.x, series.y, 498, 502);
    EXPECT_EQ(stats.count, 4U);
    EXPECT_EQ(stats.bad, 1U);
    EXPECT_EQ(stats.min, 498);
    EXPECT_EQ(stats.max, 502);
}

}  // namespace
}  // namespace unmask::ui
