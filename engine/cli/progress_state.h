// SPDX-License-Identifier: Apache-2.0
// What the terminal shows of a run, folded from its journal. Knows neither the terminal nor the clock.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "engine/protocol/events.h"

namespace unmask {

struct ProgressState {
    int64_t step = 0;
    int64_t totalSteps = 0;
    std::string phase;
    bool paused = false;
    std::optional<double> loss;
    std::optional<double> validationLoss;
    std::optional<double> tokensPerSecond;
    double elapsedSeconds = 0;
    int64_t metricsSeen = 0;
    std::deque<std::pair<int64_t, double>> recent;  // (step, elapsed) of the last steps

    void take(const EventRecord& record);
    std::optional<double> secondsLeft() const;
};

std::string fixedNumber(double value, int digits);  // "2.4120", in any locale
// "step 320/500 · loss 2.412 · validation 2.530 · 15.9 k tokens/s · 12 s left"
std::string progressWords(const ProgressState& state);
// A bar of `cells` characters.
std::string progressBar(double share, int cells);

}  // namespace unmask
