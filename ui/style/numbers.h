// SPDX-License-Identifier: Apache-2.0
// The one place where the studio turns numbers into text for the eye (QLocale). Unknown values, NaN given as "no value"
// by a caller included, are std::nullopt and read "–", never 0. Files and commands use engine/base/text.h instead.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

namespace unmask::ui::numbers {

using Maybe = std::optional<double>;

QString unknown();                             // "–"
QString count(Maybe value);                    // tokens, parameters: "1.10 B", "162.2 M", "8,420"
QString exact(Maybe value);                    // every digit, grouped: "162,220,800" (for tooltips)
QString memory(Maybe bytes);                   // "96.0 GiB"; below 0.1 GiB in MiB
QString tokenRate(Maybe tokensPerSecond);      // "498 k tok/s"
QString loss(Maybe value);                     // 4 significant digits: "2.913"; NaN and infinities in words of maths
QString significant(Maybe value, int digits);  // shortest of plain and scientific: "0.0003", "3.1e-7"
QString percent(Maybe share);                  // of 1: "31.4 %"
QString temperature(Maybe celsius);            // "71 °C"
QString duration(Maybe seconds);               // "45 s", "21 min", "3 h 05 min", "2 d 04 h"
QString preciseDuration(Maybe seconds);        // "0.85 s", "1 min 03 s", for cursors
QString timeOfDay(Maybe unixSeconds);          // local "14:52", with the date when it is not today
QString timestamp(Maybe unixSeconds);          // local date, time and zone, for tooltips

// What a person typed: 3e-4, 0.0003, 1 000, and 0,0003 where the locale writes so. A point always means decimals when
// the C locale can read the text whole.
std::optional<double> parse(const QString& text);

}  // namespace unmask::ui::numbers
