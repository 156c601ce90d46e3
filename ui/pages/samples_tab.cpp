// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/samples_tab.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QTextBrowser>

#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"

namespace unmask::ui {

namespace {

constexpr int kShownSamples = 50;

}  // namespace

SamplesTab::SamplesTab(RunSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_ask(makeButton(this, Icon::spark)),
      m_hint(makeLabel(this, "caption")),
      m_text(new QTextBrowser(this)) {
    m_text->setFrameShape(QFrame::NoFrame);
    m_ask->setObjectName(QStringLiteral("sampleButton"));
    auto* row = new QHBoxLayout;
    row->setSpacing(gap());
    row->addWidget(m_ask);
    row->addWidget(m_hint, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, gap(), 0, 0);
    column->addLayout(row);
    column->addWidget(m_text, 1);
    (new Retranslator(this))->add([this] { retext(); });
    connect(m_ask, &QPushButton::clicked, this, &SamplesTab::sampleRequested);
    connect(session, &RunSession::loaded, this, &SamplesTab::refresh);
    connect(session, &RunSession::eventsReplaced, this, &SamplesTab::refresh);
    connect(session, &RunSession::statusChanged, this,
            [this](const RunStatus& status) { m_ask->setEnabled(status.word == RunWord::running); });
    connect(session, &RunSession::eventsAdded, this, [this](int first, int count) {
        for (int i = first; i < first + count; ++i)
            if (std::holds_alternative<SampleEvent>(m_session->events()[static_cast<size_t>(i)].event)) {
                refresh();
                return;
            }
    });
    connect(&Style::instance(), &Style::changed, this, &SamplesTab::refresh);
}

void SamplesTab::retext() {
    m_ask->setText(tr("Write a sample now"));
    m_text->setAccessibleName(tr("Samples of the run"));
    refresh();
}

void SamplesTab::refresh() {
    const Colors& colors = Style::instance().colors();
    m_ask->setEnabled(m_session->status().word == RunWord::running);
    QString html;
    int shown = 0;
    const std::vector<EventRecord>& events = m_session->events();
    for (auto record = events.rbegin(); record != events.rend() && shown < kShownSamples; ++record) {
        const auto* sample = std::get_if<SampleEvent>(&record->event);
        if (!sample)
            continue;
        ++shown;
        const QString caption =
            tr("Step %1, written in %2")
                .arg(QLocale().toString(qint64{record->step}), numbers::preciseDuration(sample->seconds));
        html += QStringLiteral(
                    "<p style=\"color:%1\">%2</p><p style=\"white-space:pre-wrap\"><span style=\"color:%1\">%3"
                    "</span>%4</p><hr/>")
                    .arg(colors.textMuted.name(), caption.toHtmlEscaped(),
                         QString::fromUtf8(sample->prompt).toHtmlEscaped(),
                         QString::fromUtf8(sample->text).toHtmlEscaped());
    }
    m_text->setHtml(html);
    m_hint->setText(shown == 0 ? tr("No sample yet. It takes a moment of the training's time.")
                               : tr("%n sample(s), newest first", nullptr, shown));
}

}  // namespace unmask::ui
