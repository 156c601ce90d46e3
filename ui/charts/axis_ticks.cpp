// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/axis_ticks.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace unmask::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(AxisTicks)
};

constexpr double kMinute = 60;
constexpr double kHour = 3600;
constexpr double kDay = 86400;
constexpr size_t kMostTicks = 100;  // a guard against absurd ranges, never reached by real ones

int decimalsFor(double step) {
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
}

QString tiny(double value, double step, double largest) {
    if (value == 0)
        return QStringLiteral("0");
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitLeadingZeroInExponent);
    const double unit = std::pow(10, std::floor(std::log10(largest)));
    return locale.toString(value, 'e', decimalsFor(step / unit)).toLower();
}

QString huge(double value, double step, double largest) {
    const double unit = largest >= 1e9 ? 1e9 : largest >= 1e6 ? 1e6 : 1e3;
    if (value == 0)
        return QStringLiteral("0");
    const QString figure = QLocale().toString(value / unit, 'f', decimalsFor(step / unit));
    return unit == 1e9   ? Words::tr("%1 B").arg(figure)
           : unit == 1e6 ? Words::tr("%1 M").arg(figure)
                         : Words::tr("%1 k").arg(figure);
}

QString plain(double value, double step, double largest) {
    if (std::abs(value) < step * 1e-6)
        value = 0;
    if (largest >= 1e5)
        return huge(value, step, largest);
    if (largest < 1e-3 && largest > 0)
        return tiny(value, step, largest);
    return QLocale().toString(value, 'f', decimalsFor(step));
}

std::vector<double> places(double from, double to, double step, double origin) {
    std::vector<double> all;
    for (double i = std::ceil((from - origin) / step - 1e-9); all.size() < kMostTicks; ++i) {
        const double at = origin + i * step;
        if (at > to + step * 1e-9)
            break;
        all.push_back(at);
    }
    return all;
}

double niceSeconds(double span, int wanted) {
    constexpr std::array kSteps{1.0,     2.0,         5.0,         10.0,         15.0,         30.0,
                                kMinute, 2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
                                kHour,   2 * kHour,   3 * kHour,   6 * kHour,    12 * kHour,   kDay};
    const double ideal = span / std::max(1, wanted);
    if (ideal < 1)
        return niceStep(span, wanted);
    for (const double step : kSteps)
        if (step >= ideal)
            return step;
    return kDay * niceStep(span / kDay, wanted);
}

QString durationLabel(double seconds, double step) {
    const QLocale locale;
    if (step >= kDay)
        return Words::tr("%1 d").arg(locale.toString(seconds / kDay, 'f', 0));
    const auto whole = static_cast<qint64>(std::llround(seconds));
    const auto two = [](qint64 value) { return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0')); };
    if (step >= kHour)
        return Words::tr("%1 h").arg(whole / 3600);
    if (step >= kMinute)
        return whole < 3600 ? Words::tr("%1 min").arg(whole / 60)
                            : QStringLiteral("%1:%2").arg(whole / 3600).arg(two(whole % 3600 / 60));
    if (step < 1)
        return Words::tr("%1 s").arg(locale.toString(seconds, 'f', decimalsFor(step)));
    if (whole < 60)
        return Words::tr("%1 s").arg(whole);
    return QStringLiteral("%1:%2").arg(whole / 60).arg(two(whole % 60));
}

}  // namespace

double niceStep(double span, int wanted) {
    if (!(span > 0))
        return 1;
    const double raw = span / std::max(1, wanted);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    const double lead = raw / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

std::vector<Tick> linearTicks(double from, double to, int wanted) {
    const double step = niceStep(to - from, wanted);
    const double largest = std::max(std::abs(from), std::abs(to));
    std::vector<Tick> ticks;
    for (const double at : places(from, to, step, 0))
        ticks.push_back({at, plain(at, step, largest)});
    return ticks;
}

std::vector<Tick> logTicks(double from, double to, int wanted) {
    const int decades = static_cast<int>(std::floor(to) - std::ceil(from)) + 1;
    if (decades < 2)  // within one decade plain numbers are easier to read
        return [&] {
            std::vector<Tick> ticks;
            for (Tick tick : linearTicks(std::pow(10, from), std::pow(10, to), wanted))
                if (tick.at > 0)
                    ticks.push_back({std::log10(tick.at), tick.label});
            return ticks;
        }();
    const int every = std::max(1, static_cast<int>(std::ceil(static_cast<double>(decades) / std::max(1, wanted))));
    std::vector<Tick> ticks;
    const QLocale locale;
    for (int decade = static_cast<int>(std::floor(from)); decade <= static_cast<int>(std::floor(to)); ++decade) {
        for (const int factor : {1, 2, 5}) {
            const double at = decade + std::log10(factor);
            const bool labelled = factor == 1 ? decade % every == 0 : decades <= wanted / 3;
            const bool passedOver = every > 1 && (factor != 1 || decade % every != 0);
            if (at < from || at > to || passedOver)
                continue;
            const double value = factor * std::pow(10, decade);
            QString label;
            if (labelled)
                label = decade >= -3 && decade < 5 ? locale.toString(value, 'g', 6)
                                                   : QStringLiteral("%1e%2").arg(factor).arg(decade);
            ticks.push_back({at, label});
        }
    }
    return ticks;
}

std::vector<Tick> durationTicks(double from, double to, int wanted) {
    const double step = niceSeconds(to - from, wanted);
    std::vector<Tick> ticks;
    for (const double at : places(from, to, step, 0))
        ticks.push_back({at, durationLabel(at, step)});
    return ticks;
}

std::vector<Tick> clockTicks(double from, double to, int wanted) {
    const double step = niceSeconds(to - from, wanted);
    const QDateTime start = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(from * 1000));
    const double midnight = static_cast<double>(start.date().startOfDay().toMSecsSinceEpoch()) / 1000;
    const QLocale locale;
    std::vector<Tick> ticks;
    for (const double at : places(from, to, step, midnight)) {
        const QDateTime moment = QDateTime::fromMSecsSinceEpoch(std::llround(at * 1000));
        const bool dayBegins = moment.time() == QTime(0, 0);
        QString label = moment.toString(step < kMinute ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm"));
        if (step >= kDay || dayBegins)
            label = locale.toString(moment.date(), QStringLiteral("d MMM"));
        ticks.push_back({at, label});
    }
    return ticks;
}

std::vector<Tick> ticksFor(XAxis axis, double from, double to, int wanted) {
    switch (axis) {
        case XAxis::activeTime:
            return durationTicks(from, to, wanted);
        case XAxis::wallClock:
            return clockTicks(from, to, wanted);
        case XAxis::step:
        case XAxis::tokens:
            break;
    }
    return linearTicks(from, to, wanted);
}

}  // namespace unmask::ui
