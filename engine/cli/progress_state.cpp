// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/progress_state.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/base/text.h"
#include "engine/protocol/metric_names.h"

namespace unmask {
namespace {

constexpr size_t kWindow = 200;     // steps that the time left is taken from
constexpr double kSmoothing = 0.9;  // of tokens a second, which jump from step to step

std::optional<double> valueOf(const MetricsEvent& event, std::string_view name) {
    const auto found = event.values.find(std::string(name));
    return found == event.values.end() ? std::nullopt : std::optional<double>(found->second);
}

void takeMetrics(ProgressState& state, const EventRecord& record, const MetricsEvent& event) {
    state.elapsedSeconds = event.elapsedSeconds;
    if (const auto value = valueOf(event, metric::kTrainLoss)) {
        state.loss = value;
        state.recent.emplace_back(record.step, event.elapsedSeconds);
        if (state.recent.size() > kWindow)
            state.recent.pop_front();
        ++state.metricsSeen;
    }
    if (const auto value = valueOf(event, metric::kValidationLoss))
        state.validationLoss = value;
    if (const auto value = valueOf(event, metric::kTokensPerSecond))
        state.tokensPerSecond = kSmoothing * state.tokensPerSecond.value_or(*value) + (1 - kSmoothing) * *value;
}

void takeSet(ProgressState& state, const CommandEvent& event) {
    constexpr std::string_view kSteps = "training.steps: ";
    const size_t arrow = event.detail.rfind("→ ");
    if (!event.accepted || !event.detail.starts_with(kSteps) || arrow == std::string::npos)
        return;
    if (const auto steps = parseInteger(std::string_view(event.detail).substr(arrow + std::string_view("→ ").size())))
        state.totalSteps = *steps;
}

}  // namespace

void ProgressState::take(const EventRecord& record) {
    if (record.seq > 0)
        step = std::max(step, record.step);
    if (const auto* metrics = std::get_if<MetricsEvent>(&record.event)) {
        takeMetrics(*this, record, *metrics);
    } else if (const auto* event = std::get_if<PhaseEvent>(&record.event)) {
        phase = event->name;
    } else if (const auto* resumed = std::get_if<ResumedEvent>(&record.event)) {
        step = resumed->fromStep;
        recent.clear();
    } else if (const auto* answer = std::get_if<CommandEvent>(&record.event)) {
        takeSet(*this, *answer);
    } else if (std::holds_alternative<PausedEvent>(record.event)) {
        paused = true;
    } else if (std::holds_alternative<ContinuedEvent>(record.event)) {
        paused = false;
    }
}

std::optional<double> ProgressState::secondsLeft() const {
    if (recent.size() < 2 || totalSteps <= step)
        return std::nullopt;
    const auto steps = static_cast<double>(recent.back().first - recent.front().first);
    const double seconds = recent.back().second - recent.front().second;
    if (steps <= 0 || seconds <= 0)
        return std::nullopt;
    return seconds / steps * static_cast<double>(totalSteps - step);
}

std::string fixedNumber(double value, int digits) {
    if (!std::isfinite(value))
        return formatNumber(value);
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits);
    return end.ec == std::errc() ? std::string(text.data(), end.ptr) : formatNumber(value);
}

std::string progressWords(const ProgressState& state) {
    std::string words = "step " + std::to_string(state.step) + "/" + std::to_string(state.totalSteps);
    if (state.loss)
        words += " · loss " + fixedNumber(*state.loss, 3);
    if (state.validationLoss)
        words += " · validation " + fixedNumber(*state.validationLoss, 3);
    if (state.tokensPerSecond && *state.tokensPerSecond > 0)
        words += " · " + formatCount(*state.tokensPerSecond) + " tokens/s";
    if (state.paused)
        words += " · paused";
    else if (const auto left = state.secondsLeft())
        words += " · " + formatDuration(*left) + " left";
    const bool done = state.phase == "stopping" && state.step >= state.totalSteps;
    const bool worthSaying = !state.phase.empty() && state.phase != "training" && !done;
    return worthSaying ? words + " · " + state.phase : words;
}

std::string progressBar(double share, int cells) {
    const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * cells + 0.5);
    std::string bar;
    for (int i = 0; i < cells; ++i)
        bar += i < full ? "█" : "░";
    return bar;
}

}  // namespace unmask
