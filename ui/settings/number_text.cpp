// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/number_text.h"

#include <QDateTime>
#include <array>
#include <cmath>

namespace unmask::ui {
namespace {

// Significant digits without an exponent where the number is of a size that people read.
QString significant(double value, int digits) {
    const QLocale locale;
    if (value == 0)
        return locale.toString(0.0, 'f', digits - 1);
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (exponent < -5 || exponent > 9)
        return locale.toString(value, 'e', digits - 1);
    return locale.toString(value, 'f', std::max(0, digits - 1 - exponent));
}

}  // namespace

QString NumberText::unknown() {
    return QStringLiteral("–");
}

QString NumberText::exact(double value) {
    if (!std::isfinite(value))
        return loss(value);
    const QLocale locale;
    if (value == std::floor(value) && std::abs(value) < 9e15)
        return locale.toString(static_cast<qlonglong>(value));
    return locale.toString(value, 'g', QLocale::FloatingPointShortest);
}

QString NumberText::loss(double value) {
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("+∞") : QStringLiteral("−∞");
    return significant(value, 4);
}

QString NumberText::count(double value) {
    if (!std::isfinite(value))
        return unknown();
    struct Unit {
        double size;
        const char* letter;
    };
    static constexpr std::array kUnits{Unit{1e12, "T"}, Unit{1e9, "B"}, Unit{1e6, "M"}, Unit{1e5, "k"}};
    for (const Unit& unit : kUnits) {
        if (std::abs(value) < unit.size)
            continue;
        const double divisor = unit.size == 1e5 ? 1e3 : unit.size;
        const double scaled = value / divisor;
        const int decimals = std::abs(scaled) < 10 ? 2 : 1;
        return QLocale().toString(scaled, 'f', decimals) + QLatin1Char(' ') + QLatin1String(unit.letter);
    }
    return exact(value);
}

QString NumberText::memory(double bytes) {
    if (!std::isfinite(bytes))
        return unknown();
    static constexpr std::array kNames{"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    while (std::abs(bytes) >= 1024 && unit + 1 < kNames.size()) {
        bytes /= 1024;
        ++unit;
    }
    return QLocale().toString(bytes, 'f', unit == 0 ? 0 : 1) + QLatin1Char(' ') + QLatin1String(kNames[unit]);
}

QString NumberText::rate(double tokensPerSecond) {
    if (!std::isfinite(tokensPerSecond))
        return unknown();
    if (tokensPerSecond >= 10000)
        return tr("%1 k tok/s").arg(QLocale().toString(tokensPerSecond / 1000, 'f', tokensPerSecond < 1e5 ? 1 : 0));
    return tr("%1 tok/s").arg(QLocale().toString(tokensPerSecond, 'f', 0));
}

QString NumberText::percent(double fraction) {
    if (!std::isfinite(fraction))
        return unknown();
    return tr("%1 %").arg(QLocale().toString(fraction * 100, 'f', 1));
}

QString NumberText::duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return unknown();
    const qint64 whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 60)
        return tr("%1 s").arg(whole);
    if (whole < 3600)
        return tr("%1 min").arg(whole / 60);
    const qint64 hours = whole / 3600;
    const QString minutes = QStringLiteral("%1").arg(whole / 60 % 60, 2, 10, QLatin1Char('0'));
    if (hours < 48)
        return tr("%1 h %2 min").arg(hours).arg(minutes);
    return tr("%1 d %2 h").arg(hours / 24).arg(hours % 24);
}

QString NumberText::time(qint64 msSinceEpoch) {
    if (msSinceEpoch <= 0)
        return unknown();
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(msSinceEpoch), QLocale::ShortFormat);
}

QString NumberText::timeExact(qint64 msSinceEpoch) {
    if (msSinceEpoch <= 0)
        return unknown();
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(msSinceEpoch), QLocale::LongFormat);
}

}  // namespace unmask::ui
