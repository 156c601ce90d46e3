// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_filter.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/protocol/metric_names.h"
#include "ui/models/run_words.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

using TextOf = QString (*)(const RunRow&);
struct TextField {
    const char* name;
    TextOf of;
};
const std::array kTextFields{
    TextField{"state",
              [](const RunRow& r) {
                  return fromUtf8(runWordName(r.status.word)) + QLatin1Char(' ') + RunWords::state(r.status.word);
              }},
    TextField{"name", [](const RunRow& r) { return r.name; }},
    TextField{"id", [](const RunRow& r) { return r.id; }},
    TextField{"host", [](const RunRow& r) { return r.host; }},
    TextField{"device", [](const RunRow& r) { return r.device; }},
    TextField{"data", [](const RunRow& r) { return r.dataName; }},
    TextField{"model", [](const RunRow& r) { return r.architecture; }},
    TextField{"objective", [](const RunRow& r) { return r.objective; }},
    TextField{"tag", [](const RunRow& r) { return r.tags.join(QLatin1Char('\n')); }},
    TextField{"note", [](const RunRow& r) { return r.note; }},
    TextField{"parent", [](const RunRow& r) { return r.parent; }},
};

using NumberOf = double (*)(const RunRow&);
struct NumberField {
    const char* name;
    NumberOf of;
};
const std::array kNumberFields{
    NumberField{"loss", [](const RunRow& r) { return r.lastValue(metric::kTrainLoss); }},
    NumberField{"val", [](const RunRow& r) { return r.bestValue(metric::kValidationLoss); }},
    NumberField{"step", [](const RunRow& r) { return static_cast<double>(r.status.step); }},
    NumberField{"steps", [](const RunRow& r) { return static_cast<double>(r.status.totalSteps); }},
    NumberField{"tokens", [](const RunRow& r) { return static_cast<double>(r.tokens); }},
    NumberField{"params", [](const RunRow& r) { return static_cast<double>(r.parameters); }},
    NumberField{"lr", [](const RunRow& r) { return r.learningRate; }},
    NumberField{"batch", [](const RunRow& r) { return static_cast<double>(r.batchSize); }},
    NumberField{"seed", [](const RunRow& r) { return static_cast<double>(r.seed); }},
    NumberField{"minutes", [](const RunRow& r) { return r.elapsedSeconds / 60; }},
};

template <class Fields>
auto findField(const Fields& fields, const QString& name) {
    return std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return name == QLatin1String(f.name); });
}

// "3.2", "3,2" where the locale writes so, "3e-4", and counts like 5k, 1.2M, 1B.
bool readNumber(QString text, double& number) {
    double factor = 1;
    if (text.endsWith(QLatin1Char('k')))
        factor = 1e3;
    else if (text.endsWith(QLatin1Char('M')))
        factor = 1e6;
    else if (text.endsWith(QLatin1Char('B')))
        factor = 1e9;
    if (factor != 1)
        text.chop(1);
    bool ok = false;
    number = QLocale::c().toDouble(text, &ok);
    if (!ok)
        number = QLocale().toDouble(text, &ok);
    number *= factor;
    return ok;
}

// Words between blanks; "…" keeps blanks inside a word.
QStringList splitWords(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("(?:[^\\s\"]|\"[^\"]*\"?)+"));
    QStringList words;
    for (auto match = pattern.globalMatch(text); match.hasNext();)
        words << match.next().captured();
    return words;
}

bool anywhere(const RunRow& row, const QString& text) {
    return std::any_of(kTextFields.begin(), kTextFields.end(), [&](const TextField& field) {
        return QLatin1String(field.name) != QLatin1String("objective") &&
               field.of(row).contains(text, Qt::CaseInsensitive);
    });
}

}  // namespace

QStringList RunFilter::fieldNames() {
    QStringList names;
    for (const TextField& field : kTextFields)
        names << QLatin1String(field.name);
    for (const NumberField& field : kNumberFields)
        names << QLatin1String(field.name);
    return names;
}

RunFilter RunFilter::parse(const QString& text) {
    RunFilter filter;
    for (const QString& word : splitWords(text))
        filter.m_conditions.push_back(parseWord(word, filter.m_problems));
    return filter;
}

RunFilter::Condition RunFilter::parseWord(const QString& word, QStringList& problems) {
    static const QRegularExpression pattern(QStringLiteral("^(-?)([a-z]+)(<=|>=|<|>|=|:)(.+)$"));
    Condition condition;
    condition.typed = word;
    const auto match = pattern.match(word);
    const QString field = match.captured(2);
    const bool isText = findField(kTextFields, field) != kTextFields.end();
    const bool isNumber = findField(kNumberFields, field) != kNumberFields.end();
    if (!match.hasMatch() || (!isText && !isNumber)) {
        condition.negated = word.size() > 1 && word.startsWith(QLatin1Char('-'));
        condition.text = word.mid(condition.negated ? 1 : 0).remove(QLatin1Char('"'));
        if (match.hasMatch())
            problems << QCoreApplication::translate("unmask::ui::RunFilter", "There is no field “%1”.").arg(field);
        return condition;
    }
    condition.negated = !match.captured(1).isEmpty();
    condition.field = field;
    condition.text = match.captured(4).remove(QLatin1Char('"'));
    const QString sign = match.captured(3);
    if (isText)
        return condition;
    condition.sign = sign == QLatin1String("<")    ? Sign::less
                     : sign == QLatin1String("<=") ? Sign::lessEqual
                     : sign == QLatin1String(">")  ? Sign::greater
                     : sign == QLatin1String(">=") ? Sign::greaterEqual
                                                   : Sign::equal;
    if (!readNumber(condition.text, condition.number)) {
        condition.number = std::nan("");
        problems << QCoreApplication::translate("unmask::ui::RunFilter", "“%1” is not a number.").arg(condition.text);
    }
    return condition;
}

QStringList RunFilter::chips() const {
    QStringList chips;
    for (const Condition& condition : m_conditions)
        chips << condition.typed;
    return chips;
}

bool RunFilter::accepts(const RunRow& row) const {
    return std::all_of(m_conditions.begin(), m_conditions.end(),
                       [&](const Condition& condition) { return holds(condition, row) != condition.negated; });
}

bool RunFilter::holds(const Condition& condition, const RunRow& row) {
    if (condition.field.isEmpty())
        return anywhere(row, condition.text);
    const auto text = findField(kTextFields, condition.field);
    if (text != kTextFields.end())
        return text->of(row).contains(condition.text, Qt::CaseInsensitive);
    if (std::isnan(condition.number))
        return true;  // said as a problem; a half-typed number hides nothing
    const double value = findField(kNumberFields, condition.field)->of(row);
    switch (condition.sign) {
        case Sign::less:
            return value < condition.number;
        case Sign::lessEqual:
            return value <= condition.number;
        case Sign::greater:
            return value > condition.number;
        case Sign::greaterEqual:
            return value >= condition.number;
        case Sign::equal:
        case Sign::contains:
            return std::abs(value - condition.number) <= 1e-9 * std::abs(condition.number);
    }
    return false;
}

}  // namespace unmask::ui
