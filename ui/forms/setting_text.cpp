// SPDX-License-Identifier: Apache-2.0
#include "ui/forms/setting_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <array>
#include <cmath>

#include "engine/base/text.h"
#include "engine/protocol/interval.h"
#include "ui/style/language.h"
#include "ui/style/numbers.h"

namespace unmask::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(SettingText)
};

// Ends of an interval's text, the longest first, so that "min" is not taken for "n".
struct Suffix {
    IntervalUnit unit;
    const char* text;
};
constexpr std::array kSuffixes{Suffix{IntervalUnit::epochs, "epochs"}, Suffix{IntervalUnit::epochs, "epoch"},
                               Suffix{IntervalUnit::minutes, "min"},   Suffix{IntervalUnit::hours, "h"},
                               Suffix{IntervalUnit::seconds, "s"},     Suffix{IntervalUnit::steps, ""}};

QLocale editingLocale() {
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator | QLocale::OmitLeadingZeroInExponent);
    return locale;
}

QString typedNumber(double value) {
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return editingLocale().toString(static_cast<qlonglong>(value));
    return editingLocale().toString(value, 'g', QLocale::FloatingPointShortest).toLower().remove(QLatin1Char('+'));
}

QString rangeComplaint(const FieldInfo& info, double value) {
    if (value < info.min)
        return Words::tr("Must be at least %1.").arg(numbers::significant(info.min, 6));
    if (value > info.max)
        return Words::tr("Must be at most %1.")
            .arg(info.max >= 1e6 ? numbers::count(info.max) : numbers::significant(info.max, 6));
    return {};
}

ParsedText parseNumber(const Setting& setting, const QString& text) {
    const bool whole = setting.type == SettingType::integer;
    if (text.trimmed().isEmpty())
        return {{}, Words::tr("A number is needed here.")};
    const auto value = numbers::parse(text);
    if (!value || !std::isfinite(*value))
        return {
            {},
            whole ? Words::tr("“%1” is not a whole number.").arg(text) : Words::tr("“%1” is not a number.").arg(text)};
    if (whole && (*value != std::floor(*value) || std::abs(*value) > 9.007199254740992e15))
        return {{}, Words::tr("“%1” is not a whole number.").arg(text)};
    if (const QString complaint = rangeComplaint(setting.info, *value); !complaint.isEmpty())
        return {{}, complaint};
    if (whole)
        return {Json(static_cast<int64_t>(*value)), {}};
    return {numberToJson(*value), {}};
}

ParsedText parseIntervalText(const QString& text) {
    const IntervalText parts = splitInterval(text);
    if (parts.unit == IntervalUnit::never)
        return {Json("never"), {}};
    const auto amount = numbers::parse(parts.amount);
    if (!amount || !(*amount > 0) || !std::isfinite(*amount))
        return {{}, Words::tr("A number above 0 is needed here.")};
    if (parts.unit == IntervalUnit::steps && *amount != std::floor(*amount))
        return {{}, Words::tr("Steps are whole numbers.")};
    const IntervalText plain{QString::fromStdString(formatNumber(*amount)), parts.unit};
    const Result<Interval> interval = parseInterval(joinInterval(plain).toStdString());
    if (!interval.ok())
        return {{}, Words::tr("A number and a unit are needed here.")};
    return {Json(joinInterval(plain).toStdString()), {}};
}

QString wordOfJson(const Json& value) {
    return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString::fromStdString(value.dump());
}

}  // namespace

const Setting& settingAt(const QString& path) {
    return *findSetting(path.toStdString()).orThrow();
}

QString settingLabel(const Setting& setting) {
    return inUiLanguage(setting.info.label.en, setting.info.label.zh);
}

QString settingHelp(const Setting& setting) {
    return inUiLanguage(setting.info.help.en, setting.info.help.zh);
}

QString textOfValue(const Setting& setting, const Json& value) {
    switch (setting.type) {
        case SettingType::integer:
        case SettingType::number:
            if (const Result<double> number = numberFromJson(value))
                return typedNumber(number.value());
            return {};
        case SettingType::interval: {
            const IntervalText parts = splitInterval(wordOfJson(value));
            const auto amount = unmask::parseNumber(parts.amount.toStdString());
            return joinInterval({amount ? typedNumber(*amount) : parts.amount, parts.unit});
        }
        case SettingType::boolean:
            return value.get<bool>() ? QStringLiteral("true") : QStringLiteral("false");
        case SettingType::textList: {
            QStringList all;
            for (const Json& one : value)
                all << wordOfJson(one);
            return all.join(QLatin1Char('\n'));
        }
        case SettingType::text:
        case SettingType::choice:
            break;
    }
    return wordOfJson(value);
}

QString shownValue(const Setting& setting, const Json& value) {
    switch (setting.type) {
        case SettingType::integer:
        case SettingType::number:
            if (const Result<double> number = numberFromJson(value))
                return setting.type == SettingType::integer ? numbers::exact(number.value())
                                                            : numbers::significant(number.value(), 6);
            return {};
        case SettingType::boolean:
            return value.get<bool>() ? Words::tr("on") : Words::tr("off");
        case SettingType::choice:
            for (const SettingChoice& choice : setting.choices)
                if (wordOfJson(value) == QString::fromUtf8(choice.word))
                    return inUiLanguage(choice.label.en, choice.label.zh);
            break;
        case SettingType::interval: {
            const IntervalText parts = splitInterval(textOfValue(setting, value));
            return parts.unit == IntervalUnit::never
                       ? intervalUnitWord(parts.unit)
                       : Words::tr("%1 %2").arg(parts.amount, intervalUnitWord(parts.unit));
        }
        case SettingType::textList:
            return value.empty() ? Words::tr("none") : textOfValue(setting, value);
        case SettingType::text:
            break;
    }
    const QString text = wordOfJson(value);
    return text.isEmpty() ? Words::tr("empty") : text;
}

ParsedText parseSettingText(const Setting& setting, const QString& text) {
    switch (setting.type) {
        case SettingType::integer:
        case SettingType::number:
            return parseNumber(setting, text);
        case SettingType::interval:
            return parseIntervalText(text);
        case SettingType::boolean:
            return {Json(text == QLatin1String("true")), {}};
        case SettingType::textList: {
            Json list = Json::array();
            for (const QString& one : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
                list.push_back(one.toStdString());
            return {list, {}};
        }
        case SettingType::text:
        case SettingType::choice:
            break;
    }
    return {Json(text.toStdString()), {}};
}

IntervalText splitInterval(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed == QLatin1String("never"))
        return {{}, IntervalUnit::never};
    for (const Suffix& suffix : kSuffixes)
        if (trimmed.endsWith(QLatin1String(suffix.text)))
            return {trimmed.chopped(static_cast<qsizetype>(qstrlen(suffix.text))).trimmed(), suffix.unit};
    return {trimmed, IntervalUnit::steps};
}

QString joinInterval(const IntervalText& parts) {
    switch (parts.unit) {
        case IntervalUnit::never:
            return QStringLiteral("never");
        case IntervalUnit::seconds:
            return parts.amount + QStringLiteral("s");
        case IntervalUnit::minutes:
            return parts.amount + QStringLiteral("min");
        case IntervalUnit::hours:
            return parts.amount + QStringLiteral("h");
        case IntervalUnit::epochs:
            return parts.amount + QStringLiteral("epoch");
        case IntervalUnit::steps:
            break;
    }
    return parts.amount;
}

QString intervalUnitWord(IntervalUnit unit) {
    switch (unit) {
        case IntervalUnit::steps:
            return Words::tr("steps");
        case IntervalUnit::seconds:
            return Words::tr("seconds");
        case IntervalUnit::minutes:
            return Words::tr("minutes");
        case IntervalUnit::hours:
            return Words::tr("hours");
        case IntervalUnit::epochs:
            return Words::tr("epochs");
        case IntervalUnit::never:
            break;
    }
    return Words::tr("never");
}

}  // namespace unmask::ui
