// SPDX-License-Identifier: Apache-2.0
// Wall time is for display only; durations and timeouts run on the steady clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace unmask {

std::string utcNow();                                // "2026-12-01T10:00:00.123456789Z"
int64_t unixNanoseconds();                           // wall clock
int64_t parseUtcNanoseconds(std::string_view text);  // -1 when the text is not such a time
std::string compactUtcNow();                         // "20261201-100000", for run ids

using SteadyClock = std::chrono::steady_clock;
inline double secondsSince(SteadyClock::time_point start) {
    return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

}  // namespace unmask
