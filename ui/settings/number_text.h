// SPDX-License-Identifier: Apache-2.0
// Numbers for the eye, in the user's locale: short, with units, and a dash where nothing is known (never a zero).
// Files and commands use engine/base/text.h instead.
#pragma once

#include <QCoreApplication>
#include <QLocale>
#include <QString>

namespace unmask::ui {

class NumberText {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::NumberText)

 public:
    static QString unknown();                       // "–"
    static QString exact(double value);             // all digits, with group separators
    static QString loss(double value);              // 4 significant digits; NaN and infinities by name
    static QString count(double value);             // "1.10 B", "162.2 M", "8,420"
    static QString memory(double bytes);            // "25.1 GiB"
    static QString rate(double tokensPerSecond);    // "498 k tok/s"
    static QString percent(double fraction);        // "12.5 %"
    static QString duration(double seconds);        // "45 s", "21 min", "3 h 05 min"
    static QString time(qint64 msSinceEpoch);       // local, short
    static QString timeExact(qint64 msSinceEpoch);  // with seconds and zone, for tooltips
};

}  // namespace unmask::ui
