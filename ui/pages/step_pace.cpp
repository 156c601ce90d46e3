// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/step_pace.h"

#include <algorithm>

namespace unmask::ui {

std::optional<double> secondsPerStep(const SeriesColumns& anySeries, size_t window) {
    const size_t points = anySeries.size();
    if (points < static_cast<size_t>(kStepsBeforeEstimate))
        return {};
    std::vector<double> times;
    for (size_t i = points - std::min(window, points - 1); i < points; ++i) {
        const double steps = anySeries.step[i] - anySeries.step[i - 1];
        const double seconds = anySeries.elapsed[i] - anySeries.elapsed[i - 1];
        if (steps > 0 && seconds >= 0)
            times.push_back(seconds / steps);
    }
    if (times.empty())
        return {};
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

std::optional<double> secondsLeft(const SeriesColumns& anySeries, qint64 step, qint64 totalSteps) {
    const std::optional<double> pace = secondsPerStep(anySeries);
    if (!pace || totalSteps <= 0)
        return {};
    return *pace * static_cast<double>(std::max<qint64>(0, totalSteps - step));
}

}  // namespace unmask::ui
