// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "engine/base/text.h"
#include "engine/protocol/metric_names.h"

namespace unmask {
namespace {

std::optional<double> finiteValue(const MetricValues& values, std::string_view name) {
    const auto found = values.find(std::string(name));
    if (found == values.end() || !std::isfinite(found->second))
        return std::nullopt;
    return found->second;
}

std::string percent(double share) {
    return formatNumber(std::round(share * 10000) / 100) + " %";
}

std::string rounded(double value) {
    return formatNumber(std::round(value * 10000) / 10000);
}

constexpr double kDeviationOfMedian = 1.4826;  // of normal values: standard deviation / median distance

double median(std::deque<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::string steps(int64_t first, int64_t last) {
    return "steps " + std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

void PlateauRule::observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) {
    const auto loss = finiteValue(values, metric::kValidationLoss);
    if (!loss)
        return;
    m_values.emplace_back(step, *loss);
    const auto window = static_cast<size_t>(m_limits.evaluations);
    if (m_values.size() <= window)
        return;
    const auto lower = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto border = m_values.end() - static_cast<std::ptrdiff_t>(window);
    const double before = std::min_element(m_values.begin(), border, lower)->second;
    const double since = std::min_element(border, m_values.end(), lower)->second;
    const double improvement = (before - since) / std::abs(before);
    if (improvement >= m_limits.relative) {
        m_said = false;
        return;
    }
    if (m_said)
        return;
    m_said = true;
    out.push_back({"plateau",
                   "Validation has not improved for " + std::to_string(m_limits.evaluations) + " evaluations (" +
                       steps(border->first, step) + "): best " + rounded(since) + ", before that " + rounded(before) +
                       ", a change of " + percent(-improvement) + ".",
                   "stop", border->first, step});
}

void OverfittingRule::observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) {
    if (const auto training = finiteValue(values, metric::kTrainLoss)) {
        m_trainSum += *training;
        ++m_trainCount;
    }
    const auto validation = finiteValue(values, metric::kValidationLoss);
    if (!validation || m_trainCount == 0)
        return;
    m_evaluations.push_back({step, *validation, m_trainSum / static_cast<double>(m_trainCount)});
    m_trainSum = 0;
    m_trainCount = 0;
    const auto best = std::min_element(m_evaluations.begin(), m_evaluations.end(),
                                       [](const auto& a, const auto& b) { return a.validation < b.validation; });
    const auto since = m_evaluations.end() - best - 1;
    const auto& now = m_evaluations.back();
    const double over = (now.validation - best->validation) / std::abs(best->validation);
    const bool rising = since >= m_limits.evaluations && over >= m_limits.relative && now.training < best->training;
    if (rising && !m_said)
        out.push_back({"overfitting",
                       "Validation was best at step " + std::to_string(best->step) + " (" + rounded(best->validation) +
                           ") and stands " + percent(over) + " over it, while training loss fell from " +
                           rounded(best->training) + " to " + rounded(now.training) + ".",
                       "stop", best->step, step});
    m_said = rising;
}

void DivergenceRule::observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) {
    const auto loss = finiteValue(values, metric::kTrainLoss);
    if (!loss)
        return;
    m_sum = m_sum * m_limits.smoothing + (1 - m_limits.smoothing) * *loss;
    m_weight = m_weight * m_limits.smoothing + (1 - m_limits.smoothing);
    const double smooth = m_sum / m_weight;
    if (m_weight < 0.63)  // about 50 steps: before that the average is a handful of points
        return;
    if (!m_hasMinimum || smooth < m_minimum) {
        m_minimum = smooth;
        m_hasMinimum = true;
    }
    if (smooth <= m_minimum * (1 + m_limits.relative)) {
        m_over = 0;
        m_said = false;
        return;
    }
    if (m_over++ == 0)
        m_since = step;
    if (m_over < m_limits.steps || m_said)
        return;
    m_said = true;
    out.push_back({"divergence",
                   "Training loss stands at " + rounded(smooth) + " (smoothed), more than " +
                       percent(m_limits.relative) + " over its minimum " + rounded(m_minimum) + ", for " +
                       std::to_string(m_over) + " steps (" + steps(m_since, step) + ").",
                   "lower_learning_rate", m_since, step});
}

void SpikeRule::watchRate(const MetricValues& values) {
    ++m_sinceRise;
    const auto rate = finiteValue(values, metric::kLearningRate);
    if (!rate || *rate <= m_peakRate)
        return;
    m_peakRate = *rate;
    m_sinceRise = 0;
}

// A jump enters the window like any value: the median hardly feels it, and a level that lasts becomes the ordinary one.
void SpikeRule::watchNorm(int64_t step, double norm) {
    const double level = std::log(std::max(norm, 1e-30));
    if (m_norms.size() >= m_limits.window) {
        const double ordinary = median(m_norms);
        std::deque<double> distances = m_norms;
        for (double& value : distances)
            value = std::abs(value - ordinary);
        const double deviation = kDeviationOfMedian * median(std::move(distances));
        const bool counted = m_sinceRise > m_limits.settled && (m_lastSaid < 0 || step - m_lastSaid >= m_limits.steps);
        if (counted && level > ordinary + m_limits.deviations * deviation &&
            level > ordinary + std::log(m_limits.times))
            m_jumps.push_back({step, norm, std::exp(ordinary)});
        m_norms.pop_front();
    }
    m_norms.push_back(level);
    while (!m_jumps.empty() && m_jumps.front().step <= step - m_limits.steps)
        m_jumps.pop_front();
}

void SpikeRule::observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) {
    const auto norm = finiteValue(values, metric::kGradNorm);
    const auto loss = finiteValue(values, metric::kTrainLoss);
    if (!norm || !loss)
        return;
    watchRate(values);
    watchNorm(step, *norm);
    m_losses.push_back(*loss);
    if (m_losses.size() > 2 * m_limits.losses)
        m_losses.pop_front();
    if (static_cast<int>(m_jumps.size()) < m_limits.count || m_losses.size() < 2 * m_limits.losses)
        return;
    const auto middle = m_losses.begin() + static_cast<std::ptrdiff_t>(m_limits.losses);
    const auto count = static_cast<double>(m_limits.losses);
    const double before = std::accumulate(m_losses.begin(), middle, 0.0) / count;
    const double now = std::accumulate(middle, m_losses.end(), 0.0) / count;
    if (now < before)
        return;
    m_lastSaid = step;
    const Jump& last = m_jumps.back();
    out.push_back({"gradient_spikes",
                   "The gradient norm jumped " + std::to_string(m_jumps.size()) + " times within " +
                       std::to_string(m_limits.steps) + " steps, last to " + rounded(last.norm) + " at step " +
                       std::to_string(last.step) + " (usually " + rounded(last.ordinary) +
                       "), and training loss does not fall: " + rounded(now) + ", before that " + rounded(before) + ".",
                   "lower_learning_rate", m_jumps.front().step, step});
    m_jumps.clear();
}

}  // namespace unmask
