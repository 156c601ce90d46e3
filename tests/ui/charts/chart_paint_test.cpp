// SPDX-License-Identifier: Apache-2.0
// What is drawn, looked at pixel by pixel.
#include "tests/ui/charts/chart_fixture.h"

namespace unmask::ui {
namespace {

TEST_F(ChartWidgetTest, NaNBreaksTheDrawnLine) {
    std::vector<double> values(200, 0);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = std::sin(static_cast<double>(i) * 0.05);
    m_chart.setData(kId, points(values));
    EXPECT_LE(longestGap(inkedColumns(shown())), 1) << "without NaN the line is whole";
    for (size_t i = 80; i < 120; ++i)
        values[i] = NAN;
    m_chart.setData(kId, points(values));
    EXPECT_GT(longestGap(inkedColumns(shown())), 60) << "a fifth of the line is missing and nothing bridges it";
}

TEST_F(ChartWidgetTest, ValuesALogAxisCannotShowLeaveTheRestDrawn) {
    std::vector<double> values;
    for (int i = 0; i < 200; ++i)
        values.push_back(i >= 90 && i < 110 ? 0 : std::exp(-i * 0.03));
    m_chart.setData(kId, points(values));
    m_chart.setLog(true);
    const std::vector<bool> inked = inkedColumns(shown());
    EXPECT_GT(std::count(inked.begin(), inked.end(), true), 300);
    EXPECT_GT(longestGap(inked), 20);
}

TEST_F(ChartWidgetTest, PercentileRangeCutsASpikeAndSaysSo) {
    std::vector<double> values(1000, 2.0);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] += 0.01 * static_cast<double>(i % 10);
    values[500] = 1000;
    m_chart.setData(kId, points(values));
    const QImage all = shown();
    m_chart.setYRange(YRange::percentile5);
    const QImage cut = shown();
    EXPECT_NE(all, cut);
    // The arrow stands at the upper border of the plot, in the middle.
    bool arrow = false;
    for (int y = 20; y < 60 && !arrow; ++y)
        for (int x = 320; x < 380 && !arrow; ++x)
            arrow = cut.pixelColor(x, y) == Style::instance().chartColors().series[0];
    EXPECT_TRUE(arrow);
}

TEST_F(ChartWidgetTest, ThemeChangeRedraws) {
    m_chart.setData(kId, points({3, 2, 1}));
    shown();
    Style::instance().setTheme(ThemeChoice::dark);
    EXPECT_EQ(m_chart.grab().toImage().pixelColor(2, 2), darkChartColors().background);
    Style::instance().setTheme(ThemeChoice::light);
}

}  // namespace
}  // namespace unmask::ui
