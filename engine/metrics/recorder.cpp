// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics/recorder.h"

#include <cmath>

#include "engine/protocol/metric_names.h"

namespace unmask {

void TrainingClock::start(double secondsBefore) {
    m_before = secondsBefore;
    m_since = SteadyClock::now();
    m_running = true;
}

void TrainingClock::pause() {
    m_before = elapsed();
    m_since = SteadyClock::now();
    m_running = false;
}

double TrainingClock::resume() {
    const double paused = secondsSince(m_since);
    m_since = SteadyClock::now();
    m_running = true;
    return paused;
}

double TrainingClock::elapsed() const {
    return m_running ? m_before + secondsSince(m_since) : m_before;
}

void Recorder::resumeFrom(int64_t step, int64_t tokens) {
    m_step = step;
    m_tokens = tokens;
}

void Recorder::endStep(int64_t step, const StepFigures& figures) {
    m_step = step;
    m_tokens += figures.tokens;
    std::map<std::string, double> values;
    const auto put = [&](std::string_view name, double value) { values.emplace(name, value); };
    put(metric::kTrainLoss, figures.loss);
    put(metric::kGradNorm, figures.gradNorm);
    put(metric::kLearningRate, figures.learningRate);
    if (figures.maskable > 0)
        put(metric::kMaskRatio, static_cast<double>(figures.masked) / static_cast<double>(figures.maskable));
    if (figures.scored > 0)
        put(metric::kMaskedCrossEntropy, figures.crossEntropySum / static_cast<double>(figures.scored));
    if (figures.lossScale > 0)
        put(metric::kLossScale, figures.lossScale);
    if (figures.droppedSamples > 0)
        put(metric::kDroppedSamples, static_cast<double>(figures.droppedSamples));
    if (figures.largestExpertShare > 0) {
        put(metric::kBalanceLoss, figures.balanceLoss);
        put(metric::kLargestExpertShare, figures.largestExpertShare);
        if (figures.limitedExperts)
            put(metric::kDroppedRoutes, figures.droppedRoutes);
    }
    if (figures.seconds > 0)
        put(metric::kTokensPerSecond, static_cast<double>(figures.tokens) / figures.seconds);
    write(std::move(values), figures.ago);
}

void Recorder::validation(int64_t step, double bound) {
    m_step = step;
    write(
        {{std::string(metric::kValidationLoss), bound}, {std::string(metric::kValidationPerplexity), std::exp(bound)}});
}

void Recorder::write(std::map<std::string, double> values, double ago) {
    const auto suggestions = m_insights.observe(m_step, values);
    m_journal.append(m_step, MetricsEvent{m_tokens, m_clock.elapsed() - ago, std::move(values)});
    for (const SuggestionEvent& suggestion : suggestions)
        m_journal.append(m_step, suggestion);
}

}  // namespace unmask
