// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/chart_bar.h"

#include <gtest/gtest.h>

#include <QSlider>

#include "tests/support/temp_run.h"
#include "ui/charts/chart_grid.h"

using namespace unmask::ui;

namespace {

TEST(ChartBar, ChoicesReachTheChartsAndAreKept) {
    unmask::test::TempFolder folder;
    Settings settings(folder.path() / "studio.ini");
    ChartGrid grid;
    {
        ChartBar bar(&grid, settings);
        const XAxis before = grid.xAxis();
        bar.nextAxis();
        EXPECT_NE(grid.xAxis(), before);
        bar.findChild<QSlider*>(QStringLiteral("smoothingSlider"))->setValue(70);
        EXPECT_EQ(grid.smoothing().kind, SmoothingKind::exponential);
        EXPECT_DOUBLE_EQ(settings.get<double>(StudioSetting::smoothing), 0.7);
    }
    ChartGrid second;
    ChartBar again(&second, settings);
    EXPECT_EQ(second.xAxis(), grid.xAxis());
    EXPECT_EQ(again.findChild<QSlider*>(QStringLiteral("smoothingSlider"))->value(), 70);
}

TEST(ChartBar, SmoothingStaysWithinItsEndsAndZeroShowsRawValues) {
    unmask::test::TempFolder folder;
    Settings settings(folder.path() / "studio.ini");
    ChartGrid grid;
    ChartBar bar(&grid, settings);
    bar.changeSmoothing(-2);
    EXPECT_EQ(grid.smoothing().kind, SmoothingKind::none);
    bar.changeSmoothing(2);
    EXPECT_LT(settings.get<double>(StudioSetting::smoothing), 1.0);
}

}  // namespace
