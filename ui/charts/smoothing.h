// SPDX-License-Identifier: Apache-2.0
// TensorBoard's debiased exponential average and the time-weighted one, over full data. Non-finite values pass through
// and count for nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ui/charts/chart_types.h"
#include "ui/charts/value_column.h"

namespace unmask::ui {

constexpr double kLargestSmoothing = 0.999;
constexpr double kViewportScale = 1000;  // of the time-weighted form

std::vector<double> smoothExponential(std::span<const double> values, double weight);
std::vector<double> smoothTimeWeighted(std::span<const double> x, std::span<const double> values, double weight);

// Keeps a smoothed copy of a growing series. The exponential form only computes what is new; the time-weighted one
// depends on the whole range of x and starts again when that has changed.
class Smoother {
 public:
    const ValueColumn& update(const Smoothing& smoothing, XAxis axis, const Column& x, const ValueColumn& values,
                              uint64_t version);
    void clear();
    size_t bytes() const { return m_out.bytes(); }

 private:
    void extendExponential(double weight, const ValueColumn& values);
    double nextAverage(double weight, double value);
    void recomputeTimeWeighted(double weight, const Column& x, const ValueColumn& values);

    Smoothing m_smoothing;
    XAxis m_axis = XAxis::step;
    uint64_t m_version = 0;
    bool m_valid = false;
    bool m_copies = true;  // the series is constant so far and is returned unchanged
    double m_last = 0;
    double m_weightPower = 1;  // weight^n
    ValueColumn m_out;
};

}  // namespace unmask::ui
