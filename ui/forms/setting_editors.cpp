// SPDX-License-Identifier: Apache-2.0
#include "ui/forms/setting_editors.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QStyle>

#include "ui/forms/setting_text.h"
#include "ui/style/language.h"
#include "ui/style/style.h"

namespace unmask::ui {

QString unitWord(std::string_view unit) {
    if (unit == "tokens")
        return SettingEditor::tr("tokens");
    if (unit == "updates")
        return SettingEditor::tr("updates");
    if (unit == "rows")
        return SettingEditor::tr("rows");
    return QString::fromUtf8(unit);
}

LineEditor::LineEditor(const Setting& setting, SpecDraft* draft, QWidget* parent)
    : SettingEditor(setting, draft, parent), m_line(new QLineEdit(this)) {
    if (setting.type != SettingType::text)
        m_line->setInputMethodHints(Qt::ImhFormattedNumbersOnly);
    setControl(m_line, setting.type == SettingType::text);
    connect(m_line, &QLineEdit::textEdited, this,
            [this](const QString& text) { this->draft()->setText(path(), text); });
}

void LineEditor::showDraft() {
    const QString text = draft()->text(path());
    if (text != m_line->text())  // setting the same text would move the cursor of somebody who types
        m_line->setText(text);
}

SwitchEditor::SwitchEditor(const Setting& setting, SpecDraft* draft, QWidget* parent)
    : SettingEditor(setting, draft, parent), m_box(new QCheckBox(this)) {
    setControl(m_box);
    connect(m_box, &QCheckBox::clicked, this, [this](bool on) { this->draft()->setValue(path(), Json(on)); });
}

void SwitchEditor::showDraft() {
    m_box->setChecked(draft()->value(path()).get<bool>());
}

ChoiceEditor::ChoiceEditor(const Setting& setting, SpecDraft* draft, QWidget* parent)
    : SettingEditor(setting, draft, parent), m_box(new QComboBox(this)) {
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (const SettingChoice& choice : setting.choices)
        m_box->addItem(QString::fromUtf8(choice.label.en), QString::fromUtf8(choice.word));
    setControl(m_box);
    connect(m_box, &QComboBox::activated, this, [this](int index) {
        this->draft()->setValue(path(), Json(m_box->itemData(index).toString().toStdString()));
    });
}

void ChoiceEditor::showDraft() {
    m_box->setCurrentIndex(m_box->findData(draft()->text(path())));
}

void ChoiceEditor::retextControl() {
    for (int i = 0; i < m_box->count(); ++i) {
        const SettingChoice& choice = setting().choices[static_cast<size_t>(i)];
        m_box->setItemText(i, inUiLanguage(choice.label.en, choice.label.zh));
    }
}

IntervalEditor::IntervalEditor(const Setting& setting, SpecDraft* draft, QWidget* parent)
    : SettingEditor(setting, draft, parent), m_amount(new QLineEdit), m_unit(new QComboBox) {
    auto* both = new QWidget(this);
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Style::instance().px(0.3));
    row->addWidget(m_amount, 1);
    row->addWidget(m_unit, 1);
    for (int i = 0; i < kIntervalUnits; ++i)
        m_unit->addItem(QString());
    both->setFocusProxy(m_amount);
    setControl(both);
    m_amount->installEventFilter(this);
    m_unit->installEventFilter(this);
    connect(m_amount, &QLineEdit::textEdited, this, &IntervalEditor::edited);
    connect(m_unit, &QComboBox::activated, this, &IntervalEditor::edited);
}

void IntervalEditor::edited() {
    IntervalText parts{m_amount->text(), static_cast<IntervalUnit>(m_unit->currentIndex())};
    if (parts.amount.isEmpty() && sender() == m_unit)
        parts.amount = m_lastAmount;
    draft()->setText(path(), joinInterval(parts));
}

void IntervalEditor::showDraft() {
    const IntervalText parts = splitInterval(draft()->text(path()));
    const bool never = parts.unit == IntervalUnit::never;
    if (never && !m_amount->text().isEmpty())
        m_lastAmount = m_amount->text();
    if (parts.amount != m_amount->text())
        m_amount->setText(parts.amount);
    m_amount->setEnabled(!never);
    m_unit->setCurrentIndex(static_cast<int>(parts.unit));
}

void IntervalEditor::retextControl() {
    for (int i = 0; i < kIntervalUnits; ++i)
        m_unit->setItemText(i, intervalUnitWord(static_cast<IntervalUnit>(i)));
    m_amount->setAccessibleName(settingLabel(setting()));
    m_unit->setAccessibleName(tr("Unit of %1").arg(settingLabel(setting())));
}

void IntervalEditor::markProblem(ProblemKind kind) {
    const bool error = kind == ProblemKind::error;
    m_amount->setProperty("problem", error ? QStringLiteral("error") : QString());
    m_amount->style()->unpolish(m_amount);
    m_amount->style()->polish(m_amount);
}

}  // namespace unmask::ui
