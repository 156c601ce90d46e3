// SPDX-License-Identifier: Apache-2.0
// The rules and their thresholds. Validation uses the same masks each time, so its noise is small; training loss of a
// diffusion model jitters with the noise level, so it is only ever judged smoothed.
#pragma once

#include <deque>

#include "engine/insight/insight.h"

namespace unmask {

struct PlateauLimits {
    int evaluations = 10;     // looked back over
    double relative = 0.001;  // least improvement of the best value in that time
};
// "validation has not improved": the best value of the last evaluations is hardly below the best before them.
class PlateauRule final : public InsightRule {
 public:
    explicit PlateauRule(PlateauLimits limits = {}) : m_limits(limits) {}
    void observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) override;

 private:
    PlateauLimits m_limits;
    std::vector<std::pair<int64_t, double>> m_values;
    bool m_said = false;
};

struct OverfittingLimits {
    int evaluations = 5;      // in a row that did not come back to the best value
    double relative = 0.005;  // how far validation stands over its best
};
// Validation rises while training loss falls.
class OverfittingRule final : public InsightRule {
 public:
    explicit OverfittingRule(OverfittingLimits limits = {}) : m_limits(limits) {}
    void observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) override;

 private:
    OverfittingLimits m_limits;
    double m_trainSum = 0;  // of training losses since the last evaluation
    int64_t m_trainCount = 0;
    struct Evaluation {
        int64_t step;
        double validation, training;
    };
    std::vector<Evaluation> m_evaluations;
    bool m_said = false;
};

struct DivergenceLimits {
    double smoothing = 0.98;
    double relative = 0.2;  // smoothed loss over its minimum
    int64_t steps = 200;    // for so long
};
class DivergenceRule final : public InsightRule {
 public:
    explicit DivergenceRule(DivergenceLimits limits = {}) : m_limits(limits) {}
    void observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) override;

 private:
    DivergenceLimits m_limits;
    double m_sum = 0, m_weight = 0, m_minimum = 0;
    bool m_hasMinimum = false, m_said = false;
    int64_t m_over = 0, m_since = 0;
};

struct SpikeLimits {
    size_t window = 30;  // finite values looked back over
    double deviations = 6;
    double times = 3;  // and over so many times the mean: after a quiet window anything is 6 deviations
    int count = 3;     // spikes within `steps` before anything is said: one is ordinary
    int64_t steps = 300;
};
class SpikeRule final : public InsightRule {
 public:
    explicit SpikeRule(SpikeLimits limits = {}) : m_limits(limits) {}
    void observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) override;

 private:
    SpikeLimits m_limits;
    std::deque<double> m_window;  // logarithms
    std::deque<int64_t> m_spikes;
    int64_t m_lastSaid = -1;
};

}  // namespace unmask
