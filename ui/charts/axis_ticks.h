// SPDX-License-Identifier: Apache-2.0
// Where ticks stand and how they read: steps, tokens, durations and times of day have their own round numbers.
#pragma once

#include <QString>
#include <vector>

#include "ui/charts/chart_types.h"

namespace unmask::ui {

struct Tick {
    double at = 0;  // in axis units (log10 for a log axis)
    QString label;  // empty for minor ticks
};

std::vector<Tick> linearTicks(double from, double to, int wanted);
std::vector<Tick> logTicks(double from, double to,
                           int wanted);  // decades inside the range, 2 and 5 where there is room
std::vector<Tick> durationTicks(double from, double to, int wanted);
std::vector<Tick> clockTicks(double from, double to, int wanted);  // Unix seconds, local time
std::vector<Tick> ticksFor(XAxis axis, double from, double to, int wanted);
double niceStep(double span, int wanted);  // 1, 2 or 5 times a power of ten

}  // namespace unmask::ui
