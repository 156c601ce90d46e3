// SPDX-License-Identifier: Apache-2.0
#include "ui/style/numbers.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <cmath>

namespace unmask::ui::numbers {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Numbers)
};

QString nonFinite(double value) {
    if (std::isnan(value))
        return QStringLiteral("NaN");
    return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
}

QString fixed(double value, int decimals) {
    return QLocale().toString(value, 'f', decimals);
}

// Three significant digits for 1 to 999.5, as in "1.10" or "498".
QString threeDigits(double value) {
    const double size = std::abs(value);
    return fixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

QString twoPlaces(qint64 value) {
    return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0'));
}

// Plain notation where it is readable, scientific otherwise. Figures keep their zeros ("2.910"), settings do not.
QString withDigits(Maybe value, int digits, bool keepZeros) {
    if (!value)
        return unknown();
    if (!std::isfinite(*value))
        return nonFinite(*value);
    if (*value == 0)
        return QStringLiteral("0");
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitLeadingZeroInExponent);
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(*value))));
    if (exponent < -4 || exponent >= digits + 3)
        return locale.toString(*value, 'g', digits).toLower().remove(QLatin1Char('+'));
    QString text = locale.toString(*value, 'f', std::max(0, digits - 1 - exponent));
    const QString point = locale.decimalPoint();
    if (!keepZeros && text.contains(point)) {
        while (text.endsWith(locale.zeroDigit()))
            text.chop(1);
        if (text.endsWith(point))
            text.chop(point.size());
    }
    return text;
}

}  // namespace

QString unknown() {
    return QStringLiteral("–");
}

QString count(Maybe value) {
    if (!value)
        return unknown();
    if (!std::isfinite(*value))
        return nonFinite(*value);
    const double size = std::abs(*value);
    if (size < 99999.5)
        return fixed(*value, size == std::floor(size) || size >= 1000 ? 0 : 2);
    if (size < 999.95e3)
        return Words::tr("%1 k").arg(fixed(*value / 1e3, 1));
    if (size < 999.95e6)
        return Words::tr("%1 M").arg(fixed(*value / 1e6, size < 9.995e6 ? 2 : 1));
    if (size < 999.95e9)
        return Words::tr("%1 B").arg(fixed(*value / 1e9, size < 9.995e9 ? 2 : 1));
    return Words::tr("%1 T").arg(threeDigits(*value / 1e12));
}

QString exact(Maybe value) {
    if (!value)
        return unknown();
    if (!std::isfinite(*value))
        return nonFinite(*value);
    if (*value == std::floor(*value) && std::abs(*value) < 9e15)
        return QLocale().toString(static_cast<qlonglong>(*value));
    return QLocale().toString(*value, 'g', QLocale::FloatingPointShortest);
}

QString memory(Maybe bytes) {
    if (!bytes || !std::isfinite(*bytes))
        return unknown();
    constexpr double kMiB = 1024.0 * 1024.0;
    constexpr double kGiB = 1024.0 * kMiB;
    if (std::abs(*bytes) < 0.1 * kGiB) {
        const double mebibytes = *bytes / kMiB;
        return Words::tr("%1 MiB").arg(fixed(mebibytes, std::abs(mebibytes) < 9.95 ? 1 : 0));
    }
    const double gibibytes = *bytes / kGiB;
    return Words::tr("%1 GiB").arg(fixed(gibibytes, std::abs(gibibytes) < 9.995 ? 2 : 1));
}

QString tokenRate(Maybe tokensPerSecond) {
    if (!tokensPerSecond || !std::isfinite(*tokensPerSecond))
        return unknown();
    const double size = std::abs(*tokensPerSecond);
    if (size < 999.5)
        return Words::tr("%1 tok/s").arg(fixed(*tokensPerSecond, 0));
    if (size < 999.5e3)
        return Words::tr("%1 k tok/s").arg(threeDigits(*tokensPerSecond / 1e3));
    return Words::tr("%1 M tok/s").arg(threeDigits(*tokensPerSecond / 1e6));
}

QString significant(Maybe value, int digits) {
    return withDigits(value, digits, false);
}

QString loss(Maybe value) {
    return withDigits(value, 4, true);
}

QString percent(Maybe share) {
    if (!share || !std::isfinite(*share))
        return unknown();
    return Words::tr("%1 %").arg(fixed(*share * 100, 1));
}

QString temperature(Maybe celsius) {
    if (!celsius || !std::isfinite(*celsius))
        return unknown();
    return Words::tr("%1 °C").arg(fixed(*celsius, 0));
}

QString duration(Maybe seconds) {
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0)
        return unknown();
    const qint64 whole = std::llround(*seconds);
    if (whole < 60)
        return Words::tr("%1 s").arg(whole);
    const qint64 minutes = std::llround(*seconds / 60);
    if (minutes < 60)
        return Words::tr("%1 min").arg(minutes);
    if (minutes < 48 * 60)
        return Words::tr("%1 h %2 min").arg(minutes / 60).arg(twoPlaces(minutes % 60));
    const qint64 hours = std::llround(*seconds / 3600);
    return Words::tr("%1 d %2 h").arg(hours / 24).arg(twoPlaces(hours % 24));
}

QString preciseDuration(Maybe seconds) {
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0)
        return unknown();
    if (*seconds < 59.995)
        return Words::tr("%1 s").arg(fixed(*seconds, *seconds < 9.995 ? 2 : 1));
    const qint64 whole = std::llround(*seconds);
    if (whole < 3600)
        return Words::tr("%1 min %2 s").arg(whole / 60).arg(twoPlaces(whole % 60));
    return duration(seconds);
}

QString timeOfDay(Maybe unixSeconds) {
    if (!unixSeconds || !std::isfinite(*unixSeconds))
        return unknown();
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(std::llround(*unixSeconds * 1000));
    const QString time = moment.toString(QStringLiteral("HH:mm"));
    if (moment.date() == QDate::currentDate())
        return time;
    return Words::tr("%1, %2").arg(QLocale().toString(moment.date(), QLocale::ShortFormat), time);
}

QString timestamp(Maybe unixSeconds) {
    if (!unixSeconds || !std::isfinite(*unixSeconds))
        return unknown();
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(std::llround(*unixSeconds * 1000));
    return Words::tr("%1 %2 %3")
        .arg(QLocale().toString(moment.date(), QLocale::LongFormat), moment.toString(QStringLiteral("HH:mm:ss")),
             moment.timeZoneAbbreviation());
}

std::optional<double> parse(const QString& text) {
    QString plain = text.trimmed();
    plain.remove(QLatin1Char('_'));
    bool ok = false;
    const double inC = QLocale::c().toDouble(plain, &ok);  // "1,000" is refused below, not read as 1000
    if (ok && !plain.contains(QLatin1Char(',')))
        return inC;
    QLocale locale;
    QString local = plain;
    // A comma means decimals where the locale writes so, grouping where it groups by it. Spaces only ever group.
    for (const QChar space : {QChar(0x20), QChar(0xA0), QChar(0x202F)})
        local.remove(space);
    const double inLocale = locale.toDouble(local, &ok);
    if (ok)
        return inLocale;
    const double spaced = QLocale::c().toDouble(local, &ok);
    if (ok && !local.contains(QLatin1Char(',')))
        return spaced;
    return std::nullopt;
}

}  // namespace unmask::ui::numbers
