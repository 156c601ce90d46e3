// SPDX-License-Identifier: Apache-2.0
// All points of one series, kept whole for as long as the chart lives. Nothing is thinned here; that happens at paint
// time. Not thread-safe: lives on the GUI thread.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "ui/charts/chart_types.h"
#include "ui/charts/smoothing.h"
#include "ui/charts/value_column.h"

namespace unmask::ui {

struct SeriesPiece {
    std::array<Column, 4> axes;  // by XAxis
    ValueColumn values;
    const Column& axis(XAxis which) const { return axes[static_cast<size_t>(which)]; }
    void push(double step, double tokens, double active, double wall, double value);
};

class SeriesBuffer {
 public:
    void append(const PointBatch& batch);
    void clear();
    // The run goes on from a checkpoint: points with a later step are set aside (beforeResume) and a joint is noted.
    void resumeFrom(double step);

    size_t size() const { return m_main.values.size(); }
    const Column& axis(XAxis which) const { return m_main.axis(which); }
    const ValueColumn& values() const { return m_main.values; }
    // Over all points, kept and extended while the same smoothing is asked for.
    const ValueColumn& smoothed(const Smoothing& smoothing, XAxis axis) const;

    std::optional<size_t> nearest(XAxis axis, double x) const;      // index of the point nearest in x
    const std::vector<size_t>& joints() const { return m_joints; }  // index of the first point after each resume
    const std::vector<SeriesPiece>& beforeResume() const { return m_beforeResume; }
    uint64_t version() const { return m_version; }  // grows with every change
    size_t bytes() const;

 private:
    SeriesPiece m_main;
    std::vector<size_t> m_joints;
    std::vector<SeriesPiece> m_beforeResume;
    uint64_t m_version = 0;
    mutable Smoother m_smoother;
};

}  // namespace unmask::ui
