// SPDX-License-Identifier: Apache-2.0
// Both averages follow studio.md section 4.1 of the design: TensorBoard's classicSmoothing, and the time-weighted form
// of Weights & Biases with the guard against non-finite values that its published sample lacks.
#include "ui/charts/smoothing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace unmask::ui {
namespace {

bool isConstant(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

}  // namespace

std::vector<double> smoothExponential(std::span<const double> values, double weight) {
    std::vector<double> out(values.begin(), values.end());
    if (values.empty() || isConstant(values))
        return out;
    weight = std::clamp(weight, 0.0, kLargestSmoothing);
    double last = 0;
    double power = 1;
    for (double& value : out) {
        if (!std::isfinite(value))
            continue;
        last = last * weight + (1 - weight) * value;
        power *= weight;
        value = last / (1 - power);
    }
    return out;
}

std::vector<double> smoothTimeWeighted(std::span<const double> x, std::span<const double> values, double weight) {
    std::vector<double> out(values.begin(), values.end());
    if (values.empty())
        return out;
    const double share = std::min(std::sqrt(std::clamp(weight, 0.0, 1.0)), kLargestSmoothing);
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    const double range = *most - *least;
    double last = 0;
    double debias = 0;
    double before = 0;
    bool first = true;
    for (size_t i = 0; i < out.size(); ++i) {
        if (!std::isfinite(out[i]))
            continue;
        const double distance = first || range <= 0 ? 0 : (x[i] - before) / range * kViewportScale;
        const double decay = std::pow(share, distance);
        last = last * decay + out[i];
        debias = debias * decay + 1;
        out[i] = last / debias;
        before = x[i];
        first = false;
    }
    return out;
}

const ValueColumn& Smoother::update(const Smoothing& smoothing, XAxis axis, const Column& x, const ValueColumn& values,
                                    uint64_t version) {
    const bool axisMatters = smoothing.kind == SmoothingKind::timeWeighted;
    if (smoothing.kind == SmoothingKind::none || smoothing.weight <= 0)
        return values;
    const bool same = m_valid && smoothing == m_smoothing && (!axisMatters || axis == m_axis);
    if (same && version == m_version)
        return m_out;
    if (!same)
        clear();
    m_smoothing = smoothing;
    m_axis = axis;
    m_version = version;
    m_valid = true;
    if (axisMatters)
        recomputeTimeWeighted(smoothing.weight, x, values);
    else
        extendExponential(smoothing.weight, values);
    return m_out;
}

// The same arithmetic as smoothExponential, going on from where the last call ended.
void Smoother::extendExponential(double weight, const ValueColumn& values) {
    weight = std::clamp(weight, 0.0, kLargestSmoothing);
    if (m_copies) {
        size_t i = m_out.size();
        while (i < values.size() && values.at(i) == values.at(0))
            m_out.append(values.at(i++));
        if (i == values.size())
            return;
        m_copies = false;
        m_out.clear();
    }
    if (values.size() > 2 * m_out.size())
        m_out.reserve(values.size());  // a whole history at once; growth by batches doubles by itself
    std::array<double, kBlock> fresh;
    while (m_out.size() < values.size()) {
        const size_t begin = m_out.size();
        const size_t count = std::min(kBlock, values.size() - begin);
        for (size_t i = 0; i < count; ++i)
            fresh[i] = nextAverage(weight, values.at(begin + i));
        m_out.append({fresh.data(), count});
    }
}

double Smoother::nextAverage(double weight, double value) {
    if (!std::isfinite(value))
        return value;
    m_last = m_last * weight + (1 - weight) * value;
    if (1 - m_weightPower == 1)
        return m_last;  // nothing is left to divide by, and smaller powers would be slow to compute with
    m_weightPower *= weight;
    return m_last / (1 - m_weightPower);
}

void Smoother::recomputeTimeWeighted(double weight, const Column& x, const ValueColumn& values) {
    std::vector<double> places(values.size());
    for (size_t i = 0; i < places.size(); ++i)
        places[i] = x.at(i);
    m_out.clear();
    m_out.append(smoothTimeWeighted(places, {values.data(), values.size()}, weight));
}

void Smoother::clear() {
    m_out.clear();
    m_valid = false;
    m_copies = true;
    m_last = 0;
    m_weightPower = 1;
}

}  // namespace unmask::ui
