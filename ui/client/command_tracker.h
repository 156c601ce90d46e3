// SPDX-License-Identifier: Apache-2.0
// Follows each command from the click to its answer in the journal, and notices when none comes.
#pragma once

#include <QHash>
#include <QObject>
#include <QTimer>
#include <chrono>

#include "engine/protocol/commands.h"
#include "engine/protocol/events.h"

namespace unmask::ui {

enum class CommandPhase { asked, done, refused, unanswered };

struct CommandProgress {
    Command command;
    CommandPhase phase = CommandPhase::asked;
    qint64 step = -1;  // where it took effect
    QString detail;    // the engine's sentence
};

class CommandTracker final : public QObject {
    Q_OBJECT

 public:
    explicit CommandTracker(std::chrono::milliseconds patience = std::chrono::seconds(30), QObject* parent = nullptr);

    void asked(const Command& command);
    void answered(const QString& id, bool accepted, qint64 step, const QString& detail);
    // Commands without an answer, for sending again after the link was cut (they are harmless when repeated).
    std::vector<Command> open() const;

 Q_SIGNALS:
    void changed(const unmask::ui::CommandProgress& progress);

 private:
    void lookAtClock();

    struct Waiting {
        CommandProgress progress;
        std::chrono::steady_clock::time_point since;
    };
    std::chrono::milliseconds m_patience;
    QHash<QString, Waiting> m_waiting;
    QTimer m_timer;
};

}  // namespace unmask::ui
