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
    size_t window = 100;  // finite values whose median is the ordinary level
    double deviations = 6;
    double times = 3;  // and over so many times the median: after a quiet window anything is 6 deviations
    int settled = 50;  // steps after the last rise of the learning rate; before that jumps belong to the warm-up
    int count = 3;     // jumps within `steps` before anything is said: one is ordinary
    int64_t steps = 300;
    size_t losses = 100;  // the mean of so many training losses is held against as many before them
};
// Jumps of the gradient norm after the warm-up while training loss does not fall. A young model that learns well jumps
// now and then, and clipping sees to it; so jumps alone say nothing.
class SpikeRule final : public InsightRule {
 public:
    explicit SpikeRule(SpikeLimits limits = {}) : m_limits(limits) {}
    void observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) override;

 private:
    struct Jump {
        int64_t step;
        double norm, ordinary;
    };
    void watchRate(const MetricValues& values);
    void watchNorm(int64_t step, double norm);

    SpikeLimits m_limits;
    std::deque<double> m_norms;  // logarithms
    std::deque<double> m_losses;
    std::deque<Jump> m_jumps;
    double m_peakRate = 0;
    int64_t m_sinceRise = 0;
    int64_t m_lastSaid = -1;
};

}  // namespace unmask
