// SPDX-License-Identifier: Apache-2.0
#include "engine/optimizer/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace unmask {

namespace {

double constant(const OptimizerConfig&, double) {
    return 1;
}
double linear(const OptimizerConfig&, double progress) {
    return 1 - progress;
}
double cosine(const OptimizerConfig&, double progress) {
    return (1 + std::cos(std::numbers::pi * progress)) / 2;
}

// decay_fraction counts all steps, progress those after warm-up.
double warmupStableDecay(const OptimizerConfig& config, double progress) {
    const double afterWarmup = 1 - config.warmupFraction;
    const double decay = afterWarmup > 0 ? std::min(1.0, config.decayFraction / afterWarmup) : 1;
    return decay > 0 ? std::min(1.0, (1 - progress) / decay) : 1;
}

const ScheduleEntry& entryOf(RateSchedule kind) {
    for (const ScheduleEntry& entry : allSchedules())
        if (entry.kind == kind)
            return entry;
    return allSchedules().front();
}

}  // namespace

const std::vector<ScheduleEntry>& allSchedules() {
    static const std::vector<ScheduleEntry> list{
        {RateSchedule::constant, wordOf(RateSchedule::constant), constant},
        {RateSchedule::linear, wordOf(RateSchedule::linear), linear},
        {RateSchedule::cosine, wordOf(RateSchedule::cosine), cosine},
        {RateSchedule::warmupStableDecay, wordOf(RateSchedule::warmupStableDecay), warmupStableDecay}};
    return list;
}

double learningRate(const OptimizerConfig& config, int64_t steps, int64_t step) {
    const auto warmup = static_cast<int64_t>(std::llround(config.warmupFraction * static_cast<double>(steps)));
    if (step < warmup)
        return config.learningRate * static_cast<double>(step + 1) / static_cast<double>(warmup);
    const auto falling = static_cast<double>(std::max<int64_t>(1, steps - warmup));
    const double progress = std::min(1.0, static_cast<double>(step - warmup + 1) / falling);
    const double factor = entryOf(config.schedule).factor(config, progress);
    return config.learningRate * (config.finalRateFraction + (1 - config.finalRateFraction) * factor);
}

}  // namespace unmask
