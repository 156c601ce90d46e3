// SPDX-License-Identifier: Apache-2.0
#include "ui/forms/spec_form.h"

#include <QEvent>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/forms/setting_editor.h"
#include "ui/forms/setting_text.h"
#include "ui/style/icons.h"
#include "ui/style/language.h"
#include "ui/style/style.h"
#include "ui/widgets/card.h"

namespace unmask::ui {

SectionForm::SectionForm(SpecDraft* draft, const QString& section, QWidget* parent)
    : QWidget(parent), m_draft(draft), m_section(section) {
    QStringList paths;
    for (const Setting& setting : allSettings())
        if (QString::fromStdString(setting.section) == section)
            paths << QString::fromStdString(setting.path);
    build(paths);
}

SectionForm::SectionForm(SpecDraft* draft, const QStringList& only, QWidget* parent)
    : QWidget(parent), m_draft(draft), m_section(only.value(0).section(QLatin1Char('.'), 0, 0)) {
    build(only);
}

void SectionForm::build(const QStringList& paths) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap());
    m_advanced = new QWidget(this);
    auto* folded = new QVBoxLayout(m_advanced);
    folded->setContentsMargins(0, 0, 0, 0);
    folded->setSpacing(gap());
    for (const QString& path : paths) {
        const Setting& setting = settingAt(path);
        SettingEditor* editor = makeSettingEditor(setting, m_draft, setting.info.advanced ? m_advanced : this);
        (setting.info.advanced ? folded : column)->addWidget(editor);
        m_editors.insert(path, editor);
    }
    m_fold = new QToolButton(this);
    m_fold->setCheckable(true);
    m_fold->setAutoRaise(true);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    column->addWidget(m_fold, 0, Qt::AlignLeft);
    column->addWidget(m_advanced);
    connect(m_fold, &QToolButton::toggled, this, &SectionForm::setAdvancedShown);
    connect(&Style::instance(), &Style::changed, this, &SectionForm::retext);
    m_fold->setVisible(folded->count() > 0);
    m_advanced->hide();
    retext();
}

QString SectionForm::title() const {
    for (const SettingSection& section : allSections())
        if (QString::fromStdString(section.name) == m_section)
            return inUiLanguage(section.label.en, section.label.zh);
    return {};
}

void SectionForm::setAdvancedShown(bool shown) {
    m_advanced->setVisible(shown);
    m_fold->setChecked(shown);
    retext();
}

bool SectionForm::focusSetting(const QString& path) {
    SettingEditor* found = m_editors.value(path);
    if (!found)
        return false;
    if (found->setting().info.advanced)
        setAdvancedShown(true);
    for (QWidget* up = parentWidget(); up; up = up->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(up)) {
            scroll->ensureWidgetVisible(found);
            break;
        }
    found->control()->setFocus(Qt::OtherFocusReason);
    return true;
}

void SectionForm::retext() {
    const bool open = m_fold->isChecked();
    m_fold->setText(open ? tr("Fewer settings") : tr("More settings"));
    m_fold->setIcon(icon(open ? Icon::chevronDown : Icon::chevronRight, Style::instance().colors().textMuted));
}

void SectionForm::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        m_draft->languageChanged();
        retext();
    }
    QWidget::changeEvent(event);
}

SpecForm::SpecForm(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(wideGap());
    for (const SettingSection& one : allSections()) {
        const QString name = QString::fromStdString(one.name);
        auto* card = new Card(inUiLanguage(one.label.en, one.label.zh), this);
        auto* form = new SectionForm(&m_draft, name, card);
        card->body()->addWidget(form);
        column->addWidget(card);
        m_sections.insert(name, form);
    }
    column->addStretch();
    connect(&m_draft, &SpecDraft::specChanged, this, &SpecForm::specChanged);
}

bool SpecForm::focusSetting(const QString& path) {
    SectionForm* form = m_sections.value(path.section(QLatin1Char('.'), 0, 0));
    return form && form->focusSetting(path);
}

void SpecForm::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        for (SectionForm* form : std::as_const(m_sections))
            if (auto* card = qobject_cast<Card*>(form->parentWidget()))
                card->setTitle(form->title());
    QWidget::changeEvent(event);
}

}  // namespace unmask::ui
