// SPDX-License-Identifier: Apache-2.0
#include "engine/base/clock.h"

#include <cstdio>
#include <ctime>

namespace unmask {
namespace {
struct tm utcParts(time_t seconds) {
    struct tm parts {};
    gmtime_r(&seconds, &parts);
    return parts;
}

// Reads exactly `digits` digits at `at`; -1 when there is something else.
int64_t digitsAt(std::string_view text, size_t at, size_t digits) {
    int64_t value = 0;
    for (size_t i = at; i < at + digits; ++i) {
        if (i >= text.size() || text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}
}  // namespace

int64_t unixNanoseconds() {
    struct timespec now {};
    clock_gettime(CLOCK_REALTIME, &now);
    return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::string utcNow() {
    const int64_t now = unixNanoseconds();
    const struct tm parts = utcParts(static_cast<time_t>(now / 1'000'000'000));
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%09lldZ", parts.tm_year + 1900, parts.tm_mon + 1,
                  parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<long long>(now % 1'000'000'000));
    return text;
}

std::string compactUtcNow() {
    const struct tm parts = utcParts(static_cast<time_t>(unixNanoseconds() / 1'000'000'000));
    char text[64];
    std::snprintf(text, sizeof text, "%04d%02d%02d-%02d%02d%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                  parts.tm_hour, parts.tm_min, parts.tm_sec);
    return text;
}

int64_t parseUtcNanoseconds(std::string_view text) {
    // "2026-12-01T10:00:00.123456789Z"; the fraction may be shorter or missing.
    if (text.size() < 20 || text.back() != 'Z' || text[4] != '-' || text[7] != '-' || text[10] != 'T' ||
        text[13] != ':' || text[16] != ':')
        return -1;
    const int64_t year = digitsAt(text, 0, 4), month = digitsAt(text, 5, 2), day = digitsAt(text, 8, 2);
    const int64_t hour = digitsAt(text, 11, 2), minute = digitsAt(text, 14, 2), second = digitsAt(text, 17, 2);
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 || minute < 0 ||
        minute > 59 || second < 0 || second > 60)
        return -1;
    int64_t nanoseconds = 0;
    if (text[19] == '.') {
        const size_t digits = text.size() - 21;
        if (digits == 0 || digits > 9)
            return -1;
        nanoseconds = digitsAt(text, 20, digits);
        if (nanoseconds < 0)
            return -1;
        for (size_t i = digits; i < 9; ++i)
            nanoseconds *= 10;
    } else if (text.size() != 20) {
        return -1;
    }
    struct tm parts {};
    parts.tm_year = static_cast<int>(year - 1900);
    parts.tm_mon = static_cast<int>(month - 1);
    parts.tm_mday = static_cast<int>(day);
    parts.tm_hour = static_cast<int>(hour);
    parts.tm_min = static_cast<int>(minute);
    parts.tm_sec = static_cast<int>(second);
    return int64_t{timegm(&parts)} * 1'000'000'000 + nanoseconds;
}

}  // namespace unmask
