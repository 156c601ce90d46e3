// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace unmask::ui {
namespace {

ValueColumn column(const std::vector<double>& values) {
    ValueColumn made;
    for (const double value : values)
        made.append(value);
    return made;
}

ChartSeries& addSeries(ChartState& state, const QString& id, const std::vector<double>& values) {
    state.series.push_back(std::make_unique<ChartSeries>());
    ChartSeries& series = *state.series.back();
    series.id = id;
    series.look.name = id;
    PointBatch batch;
    for (size_t i = 0; i < values.size(); ++i)
        batch.push(static_cast<double>(i + 1), static_cast<double>(i + 1) * 512, static_cast<double>(i),
                   1.7e9 + static_cast<double>(i), values[i]);
    series.buffer.append(batch);
    return series;
}

TEST(PercentileRange, IgnoresOutliersAndWhatIsNoNumber) {
    std::vector<double> values(101);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i);
    const ValueColumn all = column(values);
    EXPECT_EQ(percentileRange(all, 0, 101, 0.05, false), (Range{5, 95}));
    EXPECT_EQ(percentileRange(all, 0, 101, 0.01, false), (Range{1, 99}));
    EXPECT_EQ(percentileRange(column({NAN, 2, INFINITY, 4}), 0, 4, 0.05, false), (Range{2, 4}));
    EXPECT_EQ(percentileRange(column({-1, 0, 10, 100}), 0, 4, 0.05, true), (Range{1, 2}));
    EXPECT_FALSE(percentileRange(column({NAN}), 0, 1, 0.05, false).has_value());
    EXPECT_FALSE(percentileRange(all, 7, 7, 0.05, false).has_value());
}

TEST(CountOutside, EqualsAPlainPass) {
    std::mt19937_64 random(23);
    std::normal_distribution<double> noise;
    std::vector<double> values;
    for (int i = 0; i < 20000; ++i)
        values.push_back(random() % 300 == 0 ? NAN : noise(random));
    const ValueColumn all = column(values);
    for (const auto& [begin, end] : {std::pair<size_t, size_t>{0, 20000}, {100, 15000}, {256, 512}, {5, 6}, {9, 9}}) {
        Outside wanted;
        for (size_t i = begin; i < end; ++i) {
            wanted.above += values[i] > 2.5;
            wanted.below += values[i] < -2;
        }
        const Outside got = countOutside(all, begin, end, -2, 2.5);
        EXPECT_EQ(got.above, wanted.above);
        EXPECT_EQ(got.below, wanted.below);
    }
}

TEST(ChartState, RangeCoversVisibleSeriesAndReplacedTails) {
    ChartState state;
    EXPECT_FALSE(state.dataRange().has_value());
    EXPECT_EQ(state.xRange(), (Range{0, 1}));
    ChartSeries& a = addSeries(state, QStringLiteral("a"), std::vector<double>(10, 1.0));
    addSeries(state, QStringLiteral("b"), std::vector<double>(20, 1.0)).visible = false;
    EXPECT_EQ(state.dataRange(), (Range{1, 10}));
    a.buffer.resumeFrom(4);
    EXPECT_EQ(state.dataRange(), (Range{1, 10})) << "the replaced tail is still drawn";
    state.xZoom = Range{3, 5};
    EXPECT_EQ(state.xRange(), (Range{3, 5}));
}

TEST(ChartState, SinglePointHasARange) {
    ChartState state;
    addSeries(state, QStringLiteral("a"), {7});
    EXPECT_EQ(state.xRange(), (Range{0.5, 1.5}));
}

TEST(ChartState, StepsAreFoundOnEveryAxis) {
    ChartState state;
    addSeries(state, QStringLiteral("a"), std::vector<double>(10, 1.0));
    EXPECT_EQ(state.xOfStep(4), 4);
    state.options.xAxis = XAxis::tokens;
    EXPECT_EQ(state.xOfStep(4), 4 * 512);
    EXPECT_TRUE(std::isnan(ChartState{.options = {.xAxis = XAxis::tokens}}.xOfStep(4)));
}

TEST(ChartState, DecimationIsKeptUntilSomethingChanges) {
    ChartState state;
    ChartSeries& a = addSeries(state, QStringLiteral("a"), std::vector<double>(1000, 1.0));
    const DecimationView view{1, 1000, 300, false};
    const QPointF* first = a.raw(XAxis::step, view).line.constData();
    EXPECT_EQ(a.raw(XAxis::step, view).line.constData(), first);
    PointBatch one;
    one.push(1001, 1, 1, 1, 5);
    a.buffer.append(one);
    EXPECT_EQ(a.raw(XAxis::step, {1, 1001, 300, false}).line.constLast(), QPointF(1001, 5));
}

TEST(ChartState, SummaryNamesTheTrend) {
    ChartState state;
    std::vector<double> rising(100);
    for (size_t i = 0; i < rising.size(); ++i)
        rising[i] = static_cast<double>(i);
    addSeries(state, QStringLiteral("norm"), rising);
    EXPECT_EQ(state.summary().toStdString(), "norm 99.00, rising, 100 point(s)");
    addSeries(state, QStringLiteral("x"), {1});
    EXPECT_TRUE(state.summary().endsWith(QLatin1String("x 1.000, too short to judge, 1 point(s)")));
}

}  // namespace
}  // namespace unmask::ui
