// SPDX-License-Identifier: Apache-2.0
// Plain values that pages and charts exchange.
#pragma once

#include <QString>
#include <vector>

#include "ui/widgets/chip.h"

namespace unmask::ui {

enum class XAxis { step, tokens, activeTime, wallClock };
enum class YRange { percentile5, percentile1, all };  // 5th-95th, 1st-99th, everything
enum class SmoothingKind { none, exponential, timeWeighted };

struct Smoothing {
    SmoothingKind kind = SmoothingKind::exponential;
    double weight = 0.6;  // 0 to 0.999
    bool operator==(const Smoothing&) const = default;
};

// Points of one series in the order of the journal, as columns of equal length.
struct PointBatch {
    std::vector<double> step;
    std::vector<double> tokens;
    std::vector<double> activeSeconds;  // since the run began, pauses excluded
    std::vector<double> wallSeconds;    // Unix time
    std::vector<double> value;          // NaN and infinities are values too

    size_t size() const { return value.size(); }
    bool empty() const { return value.empty(); }
    void reserve(size_t points);
    void push(double stepValue, double tokenCount, double active, double wall, double y);
};

struct SeriesLook {
    QString name;                    // in tooltips, legends and exports
    int color = 0;                   // index into ChartColors::series, taken modulo
    LineMark mark = LineMark::none;  // drawn along the line at wide spacing; for charts that hold several runs
    bool smoothed = true;            // false: always drawn as it is (validation points are few)
    bool thin = false;               // secondary series, such as one device of many
};

// A part of the x axis that a suggestion or an anomaly points at, in steps.
struct EvidenceWindow {
    double fromStep = 0;
    double toStep = 0;
    QString label;
};

}  // namespace unmask::ui
