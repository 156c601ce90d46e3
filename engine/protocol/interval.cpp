// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/interval.h"

#include <array>
#include <utility>

#include "engine/base/text.h"

namespace unmask {
namespace {
constexpr std::array<std::pair<std::string_view, double>, 4> kDurations{
    {{"min", 60.0}, {"s", 1.0}, {"h", 3600.0}, {"d", 86400.0}}};
}

std::string formatInterval(const Interval& interval) {
    switch (interval.unit) {
        case Interval::Unit::never:
            return "never";
        case Interval::Unit::steps:
            return formatNumber(interval.amount);
        case Interval::Unit::epochs:
            return formatNumber(interval.amount) + (interval.amount == 1 ? "epoch" : "epochs");
        case Interval::Unit::seconds:
            for (const auto& [suffix, seconds] : {kDurations[2], kDurations[0]}) {
                const double amount = interval.amount / seconds;
                if (amount >= 1 && amount == static_cast<double>(static_cast<int64_t>(amount)))
                    return formatNumber(amount) + std::string(suffix);
            }
            return formatNumber(interval.amount) + "s";
    }
    return "never";
}

Result<Interval> parseInterval(std::string_view text) {
    const Error wrong(
        ErrorCode::badInput,
        "\"" + std::string(text) + "\" is no interval; write a number of steps, 10min, 30s, 2h, 1epoch or never");
    if (text == "never")
        return Interval::never();
    size_t split = text.find_first_not_of("0123456789._");
    // "1e3" is a number, "1epoch" is not.
    if (const auto whole = parseInteger(text); whole && *whole > 0)
        return Interval::steps(*whole);
    if (split == std::string_view::npos || split == 0)
        return wrong;
    const auto amount = parseNumber(text.substr(0, split));
    while (split < text.size() && text[split] == ' ')
        ++split;
    const std::string_view unit = text.substr(split);
    if (!amount || *amount <= 0)
        return wrong;
    if (unit == "epoch" || unit == "epochs")
        return Interval{Interval::Unit::epochs, *amount};
    if (unit == "step" || unit == "steps") {
        const auto whole = parseInteger(text.substr(0, text.find_first_not_of("0123456789_")));
        return whole ? Result<Interval>(Interval::steps(*whole)) : Result<Interval>(wrong);
    }
    for (const auto& [suffix, seconds] : kDurations)
        if (unit == suffix)
            return Interval{Interval::Unit::seconds, *amount * seconds};
    return wrong;
}

}  // namespace unmask
