// SPDX-License-Identifier: Apache-2.0
// The buttons that speak to a run. Each shows what became of the last request: "asked… → done at step 8,431".
#pragma once

#include <QSet>
#include <QWidget>
#include <optional>

#include "ui/models/run_session.h"
#include "ui/pages/run_actions.h"

class QLabel;
class QPushButton;

namespace unmask::ui {

class RunControls final : public QWidget {
    Q_OBJECT
 public:
    RunControls(RunSession* session, RunActions* actions, QWidget* parent = nullptr);

    void openStopDialog();
    void askForSample();

 Q_SIGNALS:
    void unanswered(const unmask::Command& command);  // for 30 s

 private:
    void build();
    void retext();
    void refresh();
    void onCommand(const CommandProgress& progress);
    void send(CommandKind kind);
    void extend();

    RunSession* m_session;
    RunActions* m_actions;
    QPushButton* m_pause;  // or Resume
    QPushButton* m_checkpoint;
    QPushButton* m_stop;
    QPushButton* m_extend;
    QLabel* m_progress;
    std::optional<CommandProgress> m_request;  // the last one and what became of it
    QSet<QString> m_resuming;                  // keys of runs that the engine is getting ready
};

}  // namespace unmask::ui
