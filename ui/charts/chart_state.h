// SPDX-License-Identifier: Apache-2.0
// What a chart shows, without anything of how it is drawn. Internal to this folder.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "ui/charts/chart_widget.h"
#include "ui/charts/decimation.h"
#include "ui/charts/series_buffer.h"

namespace unmask::ui {

struct Range {
    double from = 0;
    double to = 1;
    double span() const { return to - from; }
    bool operator==(const Range&) const = default;
};

struct ChartSeries {
    QString id;
    SeriesLook look;
    bool visible = true;
    SeriesBuffer buffer;

    // Decimated for a view; kept until data, axis, smoothing or view change.
    const Decimated& raw(XAxis axis, const DecimationView& view) const;
    const Decimated& smoothed(const Smoothing& smoothing, XAxis axis, const DecimationView& view) const;

 private:
    struct Cached {
        bool valid = false;
        uint64_t version = 0;
        XAxis axis = XAxis::step;
        Smoothing smoothing;
        DecimationView view;
        Decimated result;
        bool fits(uint64_t wantedVersion, XAxis wantedAxis, const Smoothing& wanted, const DecimationView& v) const;
    };
    mutable Cached m_raw;
    mutable Cached m_smoothed;
};

struct ChartState {
    QString title;
    QString unit;
    std::vector<std::unique_ptr<ChartSeries>> series;
    ChartOptions options;
    std::vector<EvidenceWindow> evidence;
    std::optional<Range> xZoom;
    std::optional<Range> yZoom;  // in drawn units: log10 on a log axis

    ChartSeries* find(const QString& id) const;
    std::optional<Range> dataRange() const;  // of x over all visible series; empty without data
    Range xRange() const;
    bool smooths(const ChartSeries& one) const;
    const ValueColumn& shownValues(const ChartSeries& one) const;  // smoothed where it is smoothed
    double xOfStep(double step) const;                             // on the current axis; NaN without data
    QString summary() const;
};

// Percentiles of up to a few thousand values spread evenly over [begin, end): only the range of the view rests on them.
std::optional<Range> percentileRange(const ValueColumn& values, size_t begin, size_t end, double lowShare,
                                     bool logarithmic);
// How many finite values of [begin, end) lie above and below.
struct Outside {
    size_t above = 0;
    size_t below = 0;
};
Outside countOutside(const ValueColumn& values, size_t begin, size_t end, double low, double high);

}  // namespace unmask::ui
