// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/retention.h"

#include <algorithm>

namespace unmask {

std::vector<int64_t> removableSteps(const RetentionInput& input) {
    std::vector<int64_t> steps = input.acknowledged;
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    const auto keep = static_cast<size_t>(std::max<int64_t>(2, input.keepLast));
    if (steps.size() <= keep)
        return {};
    const auto newer = std::count_if(steps.begin(), steps.end(), [&](int64_t s) { return s > input.resumedFrom; });
    steps.resize(steps.size() - keep);
    if (newer < 2)
        std::erase(steps, input.resumedFrom);
    return steps;
}

}  // namespace unmask
