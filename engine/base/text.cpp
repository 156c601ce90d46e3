// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace unmask {
namespace {
// One decimal or more significant digits, always with a point, whatever the locale.
std::string fixed(double value, int decimals) {
    std::array<char, 400> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

std::string scaled(double value, double factor, const std::array<std::string_view, 6>& units) {
    size_t unit = 0;
    while (std::abs(value) >= factor && unit + 1 < units.size()) {
        value /= factor;
        ++unit;
    }
    std::string text = fixed(value, unit == 0 ? 0 : 1);
    if (!units[unit].empty())
        text += " " + std::string(units[unit]);
    return text;
}

std::string twoDigits(int64_t value) {
    return (value < 10 ? "0" : "") + std::to_string(value);
}
}  // namespace

std::string formatNumber(double value) {
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "Infinity" : "-Infinity";
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

std::optional<double> parseNumber(std::string_view text) {
    if (!text.empty() && text.front() == '+')
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return value;
}

std::optional<int64_t> parseInteger(std::string_view text) {
    std::string digits;
    for (const char c : text)
        if (c != '_')
            digits += c;
    int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc{} && end == digits.data() + digits.size() && !digits.empty())
        return value;
    const auto number = parseNumber(digits);  // 1e3
    if (!number || std::abs(*number) > 9.007199254740992e15 || std::floor(*number) != *number)
        return std::nullopt;
    return static_cast<int64_t>(*number);
}

std::string formatBytes(double bytes) {
    return scaled(bytes, 1024, {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"});
}

std::string formatCount(double count) {
    return scaled(count, 1000, {"", "k", "M", "B", "T", "P"});
}

std::string formatDuration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return "unknown";
    const auto whole = static_cast<int64_t>(std::llround(seconds));
    if (whole < 60)
        return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " min" + (whole < 600 ? " " + twoDigits(whole % 60) + " s" : "");
    if (whole < int64_t{48} * 3600)
        return std::to_string(whole / 3600) + " h " + twoDigits(whole % 3600 / 60) + " min";
    return std::to_string(whole / 86400) + " d " + twoDigits(whole % 86400 / 3600) + " h";
}

namespace {
// Length of the valid UTF-8 sequence at the start, 0 when it is invalid (Unicode 15, table 3-7).
size_t utf8Length(std::string_view s) {
    const auto byte = [&](size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
    const auto tail = [&](size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return byte(i) >= low && byte(i) <= high;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return tail(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80, high = lead == 0xED ? 0x9F : 0xBF;
        return tail(1, low, high) && tail(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xF4 ? 0x8F : 0xBF;
        return tail(1, low, high) && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}
}  // namespace

std::optional<size_t> firstInvalidUtf8(std::string_view bytes) {
    size_t at = 0;
    while (at < bytes.size()) {
        const size_t length = utf8Length(bytes.substr(at));
        if (length == 0)
            return at;
        at += length;
    }
    return std::nullopt;
}

std::string toValidUtf8(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const size_t length = utf8Length(bytes);
        if (length == 0)
            text += "\xEF\xBF\xBD";
        else
            text += bytes.substr(0, length);
        bytes.remove_prefix(std::max<size_t>(length, 1));
    }
    return text;
}

namespace {
// Letters put in, left out, replaced, or two neighbours exchanged ("stpes") each cost one.
size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<size_t> before;
    std::vector<size_t> above(b.size() + 1);
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        before = std::exchange(above, row);
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}
}  // namespace

std::string harmless(std::string_view text) {
    const std::string valid = toValidUtf8(text);
    std::string result;
    for (size_t i = 0; i < valid.size(); ++i) {
        const auto byte = static_cast<unsigned char>(valid[i]);
        const bool c1 = byte == 0xC2 && i + 1 < valid.size() && static_cast<unsigned char>(valid[i + 1]) < 0xA0;
        if (c1) {
            result += "\xEF\xBF\xBD";
            ++i;
        } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) {
            result += "\xEF\xBF\xBD";
        } else {
            result += valid[i];
        }
    }
    return result;
}

std::vector<std::string> splitList(std::string_view text) {
    std::vector<std::string> parts;
    constexpr std::string_view kBetween = ", \t";
    for (size_t begin = text.find_first_not_of(kBetween); begin != std::string_view::npos;) {
        const size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(kBetween, end);
    }
    return parts;
}

std::optional<std::string> nearestName(std::string_view wrong, const std::vector<std::string>& candidates) {
    if (wrong.empty() || wrong.size() > 256)
        return std::nullopt;
    const std::string* best = nullptr;
    size_t bestDistance = std::max<size_t>(2, wrong.size() / 3) + 1;
    for (const auto& candidate : candidates) {
        const size_t distance = editDistance(wrong, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = &candidate;
        }
    }
    return best ? std::optional(*best) : std::nullopt;
}

}  // namespace unmask
