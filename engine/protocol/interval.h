// SPDX-License-Identifier: Apache-2.0
// "Every so often": a number of updates, a duration, epochs, or never. In files and flags: 500, "10min", "30s", "2h",
// "1epoch", "never".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace unmask {

struct Interval {
    enum class Unit { never, steps, seconds, epochs };
    Unit unit = Unit::never;
    double amount = 0;

    static Interval steps(int64_t n) { return {Unit::steps, static_cast<double>(n)}; }
    static Interval never() { return {}; }
    bool operator==(const Interval&) const = default;
};

std::string formatInterval(const Interval& interval);
Result<Interval> parseInterval(std::string_view text);

}  // namespace unmask
