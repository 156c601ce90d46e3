// SPDX-License-Identifier: Apache-2.0
#include "ui/client/command_tracker.h"

#include "ui/settings/path_text.h"

namespace unmask::ui {

CommandTracker::CommandTracker(std::chrono::milliseconds patience, QObject* parent)
    : QObject(parent), m_patience(patience) {
    m_timer.setInterval(std::min(std::chrono::milliseconds(1000), patience / 2));
    connect(&m_timer, &QTimer::timeout, this, &CommandTracker::lookAtClock);
}

void CommandTracker::asked(const Command& command) {
    CommandProgress progress{.command = command, .phase = CommandPhase::asked, .step = -1, .detail = {}};
    m_waiting.insert(fromUtf8(command.id), {progress, std::chrono::steady_clock::now()});
    m_timer.start();
    Q_EMIT changed(progress);
}

void CommandTracker::answered(const QString& id, bool accepted, qint64 step, const QString& detail) {
    const auto found = m_waiting.find(id);
    if (found == m_waiting.end())
        return;
    CommandProgress progress = found->progress;
    progress.phase = accepted ? CommandPhase::done : CommandPhase::refused;
    progress.step = step;
    progress.detail = detail;
    m_waiting.erase(found);
    if (m_waiting.isEmpty())
        m_timer.stop();
    Q_EMIT changed(progress);
}

std::vector<Command> CommandTracker::open() const {
    std::vector<Command> commands;
    for (const Waiting& waiting : m_waiting)
        commands.push_back(waiting.progress.command);
    return commands;
}

// An unanswered command stays in the list: a late answer still turns it into done.
void CommandTracker::lookAtClock() {
    const auto now = std::chrono::steady_clock::now();
    std::vector<CommandProgress> late;
    for (Waiting& waiting : m_waiting) {
        if (waiting.progress.phase != CommandPhase::asked || now - waiting.since < m_patience)
            continue;
        waiting.progress.phase = CommandPhase::unanswered;
        late.push_back(waiting.progress);
    }
    for (const CommandProgress& progress : late)
        Q_EMIT changed(progress);
}

}  // namespace unmask::ui
