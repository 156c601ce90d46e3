// SPDX-License-Identifier: Apache-2.0
// Settings as people read and type them: numbers in their locale, intervals as amount and unit, complaints in their
// language. Pure functions.
#pragma once

#include <QString>
#include <optional>

#include "engine/base/json.h"
#include "engine/protocol/settings.h"

namespace unmask::ui {

const Setting& settingAt(const QString& path);  // throws Error for an unknown path: a programmer's mistake
QString settingLabel(const Setting& setting);
QString settingHelp(const Setting& setting);

// Text of the editor for a value; for lists and choices the word as in files.
QString textOfValue(const Setting& setting, const Json& value);
// As a sentence shows it: the label of a choice, "never", "10 min".
QString shownValue(const Setting& setting, const Json& value);

struct ParsedText {
    std::optional<Json> value;
    QString complaint;  // a sentence, when there is no value
};
ParsedText parseSettingText(const Setting& setting, const QString& text);

enum class IntervalUnit { steps, seconds, minutes, hours, epochs, never };
constexpr int kIntervalUnits = 6;
struct IntervalText {
    QString amount;  // as typed
    IntervalUnit unit = IntervalUnit::steps;
};
IntervalText splitInterval(const QString& text);
QString joinInterval(const IntervalText& parts);
QString intervalUnitWord(IntervalUnit unit);

}  // namespace unmask::ui
