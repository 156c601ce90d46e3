// SPDX-License-Identifier: Apache-2.0
// Small text services that must not depend on the locale (a German desktop writes 0,5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unmask {

std::string formatNumber(double value);  // shortest text that reads back to the same double; "NaN", "Infinity"
std::optional<double> parseNumber(std::string_view text);    // whole text, C locale; accepts 3e-4
std::optional<int64_t> parseInteger(std::string_view text);  // whole text; accepts 1000, 1_000, 1e3 when exact
std::string formatBytes(double bytes);                       // "3.2 GiB"
std::string formatCount(double count);                       // "162.2 M"
std::string formatDuration(double seconds);                  // "21 min", "3 h 05 min", "45 s"

// Offset of the first byte that is not valid UTF-8 (overlong forms, surrogates and > U+10FFFF count as invalid).
std::optional<size_t> firstInvalidUtf8(std::string_view bytes);
std::string toValidUtf8(std::string_view bytes);  // invalid bytes become U+FFFD, for text that goes into a record
// For text that others wrote (generated samples, log lines): control characters become visible, so that they cannot
// steer the terminal.
std::string harmless(std::string_view text);

// The parts between commas and blanks, without empty ones.
std::vector<std::string> splitList(std::string_view text);

// The candidate nearest by edit distance, when it is near enough to be a misspelling.
std::optional<std::string> nearestName(std::string_view wrong, const std::vector<std::string>& candidates);

}  // namespace unmask
