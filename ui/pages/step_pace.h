// SPDX-License-Identifier: Apache-2.0
// How fast a run goes and when it will end, from the median of its recent step times; pauses do not count.
#pragma once

#include <QtGlobal>
#include <optional>

#include "ui/models/run_history.h"

namespace unmask::ui {

constexpr qint64 kStepsBeforeEstimate = 30;

// Median over the last `window` points; empty before kStepsBeforeEstimate points.
std::optional<double> secondsPerStep(const SeriesColumns& anySeries, size_t window = 50);
std::optional<double> secondsLeft(const SeriesColumns& anySeries, qint64 step, qint64 totalSteps);

}  // namespace unmask::ui
