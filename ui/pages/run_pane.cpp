// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_pane.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QPlainTextEdit>
#include <cmath>

#include "engine/protocol/metric_names.h"
#include "ui/models/end_words.h"
#include "ui/models/run_words.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/sparkline.h"
#include "ui/widgets/state_badge.h"

namespace unmask::ui {

namespace {

constexpr int kNoteLines = 5;

numbers::Maybe known(double value) {
    return std::isnan(value) ? numbers::Maybe() : numbers::Maybe(value);
}

numbers::Maybe positive(double value) {
    return value > 0 ? numbers::Maybe(value) : numbers::Maybe();
}

}  // namespace

RunPane::RunPane(RunActions* actions, QWidget* parent)
    : QWidget(parent),
      m_actions(actions),
      m_name(makeWrappingLabel(this, "heading")),
      m_state(new StateBadge(this)),
      m_reason(makeWrappingLabel(this, "caption")),
      m_curve(new Sparkline(this)),
      m_facts(new QFormLayout),
      m_tags(makeWrappingLabel(this, "caption")),
      m_noteTitle(makeLabel(this, "caption")),
      m_note(new QPlainTextEdit(this)),
      m_open(makeButton(this, Icon::live, "primary")),
      m_resume(makeButton(this, Icon::resume)),
      m_again(makeButton(this, Icon::again)) {
    build();
    (new Retranslator(this))->add([this] { retext(); });
    connect(m_open, &QPushButton::clicked, this, [this] { m_actions->openLive(*m_row); });
    connect(m_resume, &QPushButton::clicked, this, [this] { m_actions->resume(*m_row); });
    connect(m_again, &QPushButton::clicked, this, [this] { m_actions->runAgain(*m_row); });
}

void RunPane::build() {
    setRole(this, "card");
    setAttribute(Qt::WA_StyledBackground);
    m_curve->setMinimumHeight(Style::instance().px(4));
    m_facts->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_facts->setVerticalSpacing(gap() / 2);
    m_facts->setHorizontalSpacing(wideGap());
    m_note->setMaximumHeight(kNoteLines * Style::instance().px(1.6));
    m_note->setTabChangesFocus(true);
    m_note->installEventFilter(this);
    m_noteTitle->setBuddy(m_note);

    for (QLabel* label : {m_name, m_reason, m_tags})
        label->setMinimumWidth(1);

    auto* inner = new QWidget;
    inner->setObjectName(QStringLiteral("scrollBody"));
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(0, 0, gap(), 0);
    column->setSpacing(gap());
    column->addWidget(m_name);
    column->addWidget(m_state, 0, Qt::AlignLeft);
    column->addWidget(m_reason);
    column->addWidget(m_curve);
    column->addLayout(m_facts);
    column->addWidget(m_tags);
    column->addWidget(m_noteTitle);
    column->addWidget(m_note);
    column->addStretch(1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_resume, 1);
    row->addWidget(m_again, 1);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(wideGap(), wideGap(), wideGap(), wideGap());
    outer->addWidget(makeScroll(inner), 1);
    outer->addWidget(m_open);
    outer->addLayout(row);
}

void RunPane::retext() {
    m_open->setText(tr("Open live"));
    m_resume->setText(tr("Resume"));
    m_again->setText(tr("Run again"));
    m_again->setToolTip(tr("Opens the form with these settings and a new seed"));
    m_noteTitle->setText(tr("Note"));
    m_note->setPlaceholderText(tr("What was this run for?"));
    m_note->setAccessibleName(tr("Note"));
    refresh();
}

void RunPane::show(const std::optional<RunRow>& row) {
    const bool other = !row || !m_row || row->key != m_row->key;
    if (other)
        saveNote();
    const bool typed = !other && m_note->toPlainText() != m_row->note;  // not back from the history yet
    m_row = row;
    setVisible(row.has_value());
    if (!row)
        return;
    if (other || (!typed && m_note->toPlainText() != row->note)) {
        m_note->setPlainText(row->note);
        m_savedNote = row->note;
    }
    refresh();
}

// A note is kept as soon as people turn to something else.
void RunPane::hideEvent(QHideEvent* event) {
    saveNote();
    QWidget::hideEvent(event);
}

bool RunPane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_note && event->type() == QEvent::FocusOut)
        saveNote();
    return QWidget::eventFilter(watched, event);
}

void RunPane::saveNote() {
    const QString note = m_note->toPlainText();
    if (!m_row || note == m_savedNote)
        return;
    m_savedNote = note;
    m_actions->setNote(*m_row, note);
}

void RunPane::addFact(const QString& name, const QString& value, const QString& exact) {
    QLabel* caption = makeLabel(this, "caption");
    caption->setText(name);
    QLabel* text = makeWrappingLabel(this);
    text->setText(value.isEmpty() ? numbers::unknown() : value);
    text->setToolTip(exact);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setMinimumWidth(1);  // a long word must not push the pane's edge out of sight
    m_facts->addRow(caption, text);
}

// Paths have parts that break nowhere, so a long one is shortened; its tooltip has the whole.
void RunPane::addFolder(const QString& path) {
    QLabel* caption = makeLabel(this, "caption");
    caption->setText(tr("Folder"));
    auto* text = new ElidedLabel(this);
    text->setElideMode(Qt::ElideMiddle);
    text->setText(path);
    m_facts->addRow(caption, text);
}

void RunPane::refresh() {
    if (!m_row)
        return;
    const RunRow& row = *m_row;
    m_name->setText(row.name.isEmpty() ? row.id : row.name);
    m_state->setState(QString::fromUtf8(runWordName(row.status.word)));
    m_reason->setText(EndWords::of(row));
    m_resume->setEnabled(RunActions::mayResume(row));
    m_curve->setValues(QVector<double>(row.sparkline.begin(), row.sparkline.end()));
    m_curve->setVisible(row.sparkline.size() > 1);
    while (m_facts->rowCount() > 0)
        m_facts->removeRow(0);
    addFact(tr("Step"), row.status.totalSteps > 0 ? tr("%1 of %2")
                                                        .arg(QLocale().toString(qint64{row.status.step}),
                                                             QLocale().toString(qint64{row.status.totalSteps}))
                                                  : QLocale().toString(qint64{row.status.step}));
    addFact(tr("Loss"), numbers::loss(known(row.lastValue(metric::kTrainLoss))));
    addFact(tr("Best validation loss"), numbers::loss(known(row.bestValue(metric::kValidationLoss))));
    addFact(tr("Architecture"), row.architecture);
    addFact(tr("Parameters"), numbers::count(positive(static_cast<double>(row.parameters))),
            numbers::exact(positive(static_cast<double>(row.parameters))));
    addFact(tr("Data"), row.dataName.isEmpty() ? tr("Sample corpus") : row.dataName);
    addFact(tr("Learning rate"), numbers::significant(positive(row.learningRate), 3));
    addFact(tr("Batch"), row.batchSize > 0 ? QLocale().toString(row.batchSize) : QString());
    addFact(tr("Seed"), QString::number(row.seed));
    addFact(tr("Device"), RunWords::device(row.device));
    addFact(tr("Computer"), row.host);
    addFact(tr("Trained"), numbers::duration(positive(row.elapsedSeconds)));
    const auto created = static_cast<double>(row.createdMs) / 1000.0;
    addFact(tr("Started"), numbers::timeOfDay(positive(created)), numbers::timestamp(positive(created)));
    addFolder(row.folder);
    m_tags->setVisible(!row.tags.isEmpty());
    m_tags->setText(tr("Tags: %1").arg(row.tags.join(QStringLiteral(", "))));
}

}  // namespace unmask::ui
