// SPDX-License-Identifier: Apache-2.0
#include "ui/forms/setting_editor.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/forms/setting_editors.h"
#include "ui/forms/setting_text.h"
#include "ui/style/icons.h"
#include "ui/style/language.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

constexpr double kLabelEms = 12.5;
constexpr double kControlEms = 11;

// Rich text wraps in a tooltip, plain text does not.
QString wrapped(const QString& text) {
    return QStringLiteral("<qt>%1</qt>").arg(text.toHtmlEscaped());
}

}  // namespace

SettingEditor::SettingEditor(const Setting& setting, SpecDraft* draft, QWidget* parent)
    : QWidget(parent),
      m_setting(setting),
      m_path(QString::fromStdString(setting.path)),
      m_draft(draft),
      m_label(new QLabel(this)),
      m_row(new QHBoxLayout),
      m_unit(new QLabel(this)),
      m_default(new QLabel(this)),
      m_reset(new QToolButton(this)),
      m_reason(new QLabel(this)),
      m_problem(new ProblemLabel(this)) {
    auto* whole = new QHBoxLayout(this);
    auto* column = new QVBoxLayout;
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_label, 0, Qt::AlignTop);
    whole->addLayout(column, 1);
    column->setSpacing(Style::instance().px(0.2));
    column->addLayout(m_row);
    m_row->setSpacing(Style::instance().px(0.5));
    column->addWidget(m_reason);
    column->addWidget(m_problem);
    m_row->addWidget(m_unit);
    m_row->addWidget(m_default);
    m_row->addWidget(m_reset);
    m_label->setWordWrap(true);
    m_default->setTextFormat(Qt::PlainText);
    m_reason->setTextFormat(Qt::PlainText);
    m_reason->setWordWrap(true);
    setRole(m_unit, "caption");
    setRole(m_default, "caption");
    setRole(m_reason, "caption");
    m_reset->setAutoRaise(true);
    connect(m_reset, &QToolButton::clicked, this, [this] { m_draft->reset(m_path); });
    connect(&Style::instance(), &Style::changed, this, &SettingEditor::applyMetrics);
}

void SettingEditor::setControl(QWidget* control, bool wide) {
    m_control = control;
    m_wide = wide;
    m_row->insertWidget(0, control, wide ? 1 : 0);
    if (!wide)
        m_row->addStretch(1);
    m_label->setBuddy(control);
    control->installEventFilter(this);
}

void SettingEditor::connectDraft() {
    connect(m_draft, &SpecDraft::fieldChanged, this, [this](const QString& path) {
        if (path.isEmpty() || path == m_path)
            refresh();
    });
    connect(m_draft, &SpecDraft::problemsChanged, this, &SettingEditor::refreshProblem);
    retext();
    applyMetrics();
}

void SettingEditor::retext() {
    const QString label = settingLabel(m_setting);
    const QString help = settingHelp(m_setting);
    m_label->setText(label);
    m_unit->setText(unitWord(m_setting.info.unit));
    m_unit->setVisible(!m_setting.info.unit.empty());
    m_reason->setText(help);
    for (QWidget* one : std::initializer_list<QWidget*>{m_label, m_control}) {
        one->setToolTip(wrapped(help));
        one->setWhatsThis(help);
    }
    m_control->setAccessibleName(label);
    m_control->setAccessibleDescription(help);
    m_reset->setToolTip(tr("Back to the default"));
    m_reset->setAccessibleName(tr("Set %1 back to its default").arg(label));
    retextControl();
    refresh();
}

void SettingEditor::refresh() {
    showDraft();
    const bool isDefault = m_draft->isDefault(m_path);
    m_default->setText(isDefault ? QString()
                                 : tr("default %1").arg(shownValue(m_setting, m_draft->defaultValue(m_path))));
    m_default->setVisible(!isDefault && !m_wide);
    m_reset->setVisible(!isDefault);
    refreshProblem();
}

void SettingEditor::refreshProblem() {
    const FieldProblem problem = m_draft->problemOf(m_path);
    if (problem.kind == m_problem->kind() && problem.sentence == m_problem->sentence())
        return;
    m_problem->setProblem(problem.kind, problem.sentence);
    markProblem(problem.kind);
}

QString SettingEditor::problemText() const {
    return m_problem->kind() == ProblemKind::none ? QString() : m_problem->sentence();
}

void SettingEditor::markProblem(ProblemKind kind) {
    const char* word = kind == ProblemKind::error ? "error" : kind == ProblemKind::warning ? "warning" : "";
    m_control->setProperty("problem", QLatin1String(word));
    m_control->style()->unpolish(m_control);
    m_control->style()->polish(m_control);
}

void SettingEditor::applyMetrics() {
    const Style& style = Style::instance();
    m_label->setFixedWidth(style.px(kLabelEms));
    m_label->setContentsMargins(0, style.px(0.42), 0, 0);
    if (qobject_cast<QComboBox*>(m_control))
        m_control->setMinimumWidth(style.px(kControlEms));  // words of another language may be longer
    else if (!m_wide)
        m_control->setFixedWidth(style.px(kControlEms));
    m_reset->setIcon(icon(Icon::undo, style.colors().textMuted));
}

void SettingEditor::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && m_control)
        retext();
    QWidget::changeEvent(event);
}

// Undo belongs to the whole form, not to the line that has the focus; and a wheel over an unfocused box scrolls the
// page.
bool SettingEditor::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo);
        const bool redo = key->matches(QKeySequence::Redo);
        if (undo || redo) {
            if (event->type() == QEvent::ShortcutOverride)
                event->ignore();
            else
                undo ? m_draft->undoStack()->undo() : m_draft->undoStack()->redo();
            return true;
        }
    }
    if (event->type() == QEvent::Wheel && !qobject_cast<QWidget*>(watched)->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

SettingEditor* makeSettingEditor(const Setting& setting, SpecDraft* draft, QWidget* parent) {
    SettingEditor* editor = nullptr;
    switch (setting.type) {
        case SettingType::boolean:
            editor = new SwitchEditor(setting, draft, parent);
            break;
        case SettingType::choice:
            editor = new ChoiceEditor(setting, draft, parent);
            break;
        case SettingType::interval:
            editor = new IntervalEditor(setting, draft, parent);
            break;
        case SettingType::textList:
            editor = new FileListEditor(setting, draft, parent);
            break;
        case SettingType::integer:
        case SettingType::number:
        case SettingType::text:
            editor = new LineEditor(setting, draft, parent);
            break;
    }
    editor->connectDraft();
    return editor;
}

}  // namespace unmask::ui
