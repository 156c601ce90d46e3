// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_controls.h"

#include <QHBoxLayout>

#include "ui/models/run_words.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/questions.h"
#include "ui/pages/retranslator.h"
#include "ui/pages/stop_dialog.h"
#include "ui/style/style.h"

namespace unmask::ui {

namespace {

bool isEnded(RunWord word) {
    return word == RunWord::interrupted || word == RunWord::failed || word == RunWord::stopped ||
           word == RunWord::finished || word == RunWord::lost;
}

}  // namespace

RunControls::RunControls(RunSession* session, RunActions* actions, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_actions(actions),
      m_pause(makeButton(this, Icon::pause)),
      m_checkpoint(makeButton(this, Icon::checkpoint)),
      m_stop(makeButton(this, Icon::stop)),
      m_extend(makeButton(this, Icon::extend)),
      m_progress(makeLabel(this, "caption")) {
    build();
    (new Retranslator(this))->add([this] { retext(); });
    connect(m_pause, &QPushButton::clicked, this, [this] {
        const RunWord word = m_session->status().word;
        if (isEnded(word))
            m_actions->resume(m_session->row());
        else
            send(word == RunWord::paused ? CommandKind::resume : CommandKind::pause);
    });
    connect(m_checkpoint, &QPushButton::clicked, this, [this] { send(CommandKind::checkpoint); });
    connect(m_stop, &QPushButton::clicked, this, &RunControls::openStopDialog);
    connect(m_extend, &QPushButton::clicked, this, &RunControls::extend);
    connect(session, &RunSession::statusChanged, this, &RunControls::refresh);
    connect(session, &RunSession::loaded, this, [this] {
        m_request.reset();
        refresh();
    });
    connect(session, &RunSession::commandChanged, this, &RunControls::onCommand);
    connect(actions, &RunActions::resuming, this, [this](const QString& key, bool busy) {
        if (busy)
            m_resuming.insert(key);
        else
            m_resuming.remove(key);
        if (key == m_session->row().key)
            m_request.reset();
        refresh();
    });
}

void RunControls::build() {
    m_pause->setObjectName(QStringLiteral("pauseButton"));
    m_checkpoint->setObjectName(QStringLiteral("checkpointButton"));
    m_stop->setObjectName(QStringLiteral("stopButton"));
    m_extend->setObjectName(QStringLiteral("extendButton"));
    m_progress->setObjectName(QStringLiteral("commandProgress"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(gap());
    for (QPushButton* button : {m_pause, m_checkpoint, m_extend, m_stop})
        row->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap() / 2);
    column->addLayout(row);
    m_progress->setAlignment(Qt::AlignRight);
    column->addWidget(m_progress);
}

void RunControls::retext() {
    m_checkpoint->setText(tr("Checkpoint now"));
    m_checkpoint->setToolTip(tr("Saves the state of the training at the next step; the run goes on."));
    m_stop->setText(tr("Stop…"));
    m_stop->setToolTip(tr("Ends the run, with or without saving (Ctrl+Shift+S)"));
    m_extend->setText(tr("Extend…"));
    m_extend->setToolTip(tr("Plans more steps for this run"));
    refresh();
}

void RunControls::refresh() {
    const RunWord word = m_session->status().word;
    const bool ended = isEnded(word);
    const bool resumes = word == RunWord::paused || ended;
    m_pause->setText(resumes ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(icon(resumes ? Icon::play : Icon::pause));
    m_pause->setToolTip(ended ? tr("Goes on from the last good checkpoint")
                              : (resumes ? tr("Goes on with the training")
                                         : tr("Holds the training after this step; "
                                              "memory stays taken")));
    const bool open = m_session->isOpen();
    const bool resuming = m_resuming.contains(m_session->row().key);
    m_pause->setEnabled(open && !resuming && word != RunWord::finished && word != RunWord::lost);
    m_checkpoint->setEnabled(open && (word == RunWord::running || word == RunWord::paused));
    m_stop->setEnabled(open && !ended);
    m_extend->setEnabled(open && !resuming && word != RunWord::starting && word != RunWord::lost);
    if (resuming)
        m_progress->setText(tr("Resuming…"));
    else
        m_progress->setText(m_request ? RunWords::commandProgress(*m_request) : QString());
}

void RunControls::onCommand(const CommandProgress& progress) {
    m_request = progress;
    refresh();
    if (progress.phase == CommandPhase::unanswered)
        Q_EMIT unanswered(progress.command);
}

void RunControls::send(CommandKind kind) {
    Command command;
    command.id = newCommandId();
    command.kind = kind;
    m_session->send(command);
}

void RunControls::askForSample() {
    send(CommandKind::sample);
}

void RunControls::openStopDialog() {
    if (!m_stop->isEnabled())
        return;
    auto* dialog = new StopDialog(stopLossOf(*m_session), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &StopDialog::chosen, this, [this](bool saveFirst) {
        Command command;
        command.id = newCommandId();
        command.kind = CommandKind::stop;
        command.saveFirst = saveFirst;
        m_session->send(command);
    });
    dialog->open();
}

void RunControls::extend() {
    if (isEnded(m_session->status().word)) {
        m_actions->extend(m_session->row(), window());
        return;
    }
    const qint64 planned = m_session->status().totalSteps;
    const QString name = m_session->row().name.isEmpty() ? m_session->row().id : m_session->row().name;
    askForMoreSteps(window(), name, planned, this, [this, planned](qint64 more) {
        Command command;
        command.id = newCommandId();
        command.kind = CommandKind::set;
        command.setting = "training.steps";
        command.value = static_cast<int64_t>(planned + more);
        m_session->send(command);
    });
}

}  // namespace unmask::ui
