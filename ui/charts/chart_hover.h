// SPDX-License-Identifier: Apache-2.0
// What the cursor reads: for each series the nearest of all its points, never one of the drawn ones. Internal.
#pragma once

#include <vector>

#include "ui/charts/chart_frame.h"
#include "ui/style/colors.h"

namespace unmask::ui {

struct Reading {
    const ChartSeries* series = nullptr;
    size_t index = 0;
    double raw = 0;
    double shown = 0;  // smoothed where the series is smoothed
    QPointF pixel;     // of the shown value
};

std::vector<Reading> readingsAt(const ChartState& state, const ChartFrame& frame, double x, double cursorY);

struct HoverLook {
    const ChartColors* chart;
    const Colors* colors;
    QFont font;
    bool details = false;  // Shift: least, greatest and count of the pixel column
    bool tooltip = false;  // the chart under the mouse or with the keyboard; others show line and dots
};

void paintHover(QPainter& painter, const ChartState& state, const ChartFrame& frame, double x,
                const std::vector<Reading>& readings, const HoverLook& look);
QString readingText(const ChartState& state, const std::vector<Reading>& readings);  // for screen readers

}  // namespace unmask::ui
