// SPDX-License-Identifier: Apache-2.0
#include "engine/train/control.h"

#include <chrono>

#include "engine/base/text.h"
#include "engine/journal/event_reader.h"

namespace unmask {

namespace {
constexpr auto kSignalCheck = std::chrono::milliseconds(100);  // a handler cannot wake a condition variable
}

Control::Control(EventWriter& journal, TrainingClock& clock, Answers answered)
    : m_journal(journal), m_clock(clock), m_answered(std::move(answered)) {}

void Control::submit(Command command) {
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_answered.find(command.id); known != m_answered.end()) {
        m_journal.append(m_step, known->second);
        return;
    }
    if (!m_pending.emplace(command.id, command.kind).second)
        return;  // the first one will be answered
    m_queue.push_back(std::move(command));
    m_arrived.notify_all();
}

bool Control::asked() {
    const std::lock_guard lock(m_mutex);
    return m_paused || !m_queue.empty() || stopSignal().count > 0;
}

Wishes Control::agree(int64_t step) {
    {
        const std::lock_guard lock(m_mutex);
        m_step = step;
    }
    Wishes wishes;
    while (true) {
        for (const Command& command : waitForCommands())
            take(command, wishes);
        noteSignal(wishes);
        const bool somethingToDo = wishes.stop || !wishes.checkpoints.empty() || !wishes.samples.empty();
        if (!m_paused || somethingToDo)
            break;
    }
    wishes.paused = m_paused && !wishes.stop;
    return wishes;
}

void Control::answer(const Command& command, bool accepted, const std::string& detail) {
    CommandEvent event{command.id, std::string(commandWord(command.kind)), accepted, detail};
    const std::lock_guard lock(m_mutex);
    m_pending.erase(command.id);
    m_answered[command.id] = event;
    m_journal.append(m_step, std::move(event));
}

void Control::refuseRest(const std::string& reason) {
    std::deque<Command> rest;
    {
        const std::lock_guard lock(m_mutex);
        rest = std::exchange(m_queue, {});
    }
    for (const Command& command : rest)
        answer(command, command.kind == CommandKind::stop, reason);
}

void Control::take(const Command& command, Wishes& wishes) {
    switch (command.kind) {
        case CommandKind::pause:
            return pause(command);
        case CommandKind::resume:
            return resume(command);
        case CommandKind::checkpoint:
            wishes.checkpoints.push_back(command);
            return;
        case CommandKind::sample:
            wishes.samples.push_back(command);
            return;
        case CommandKind::stop:
            wishes.stop = true;
            wishes.saveFirst = wishes.saveFirst && command.saveFirst;
            wishes.reason = "stopped by command";
            wishes.stops.push_back(command);
            return;
        case CommandKind::set: {
            std::string detail;
            const Outcome outcome = m_applySetting(command, detail);
            answer(command, outcome.ok(), outcome.ok() ? detail : std::string(outcome.error().what()));
            return;
        }
    }
}

void Control::pause(const Command& command) {
    if (m_paused)
        return answer(command, true, "already paused");
    m_paused = true;
    m_clock.pause();
    answer(command, true, "paused at step " + std::to_string(m_step));
    m_journal.append(m_step, PausedEvent{});
}

void Control::resume(const Command& command) {
    if (!m_paused)
        return answer(command, true, "not paused");
    m_paused = false;
    const double seconds = m_clock.resume();
    answer(command, true, "going on after " + formatDuration(seconds));
    m_journal.append(m_step, ContinuedEvent{seconds});
}

void Control::noteSignal(Wishes& wishes) const {
    const StopSignal signal = stopSignal();
    if (signal.count == 0)
        return;
    wishes.stop = true;
    wishes.saveFirst = wishes.saveFirst && signal.count == 1;
    wishes.exitCode = signal.exitCode;
    wishes.reason = signal.exitCode == ErrorCode::preempted ? "ended by SIGTERM" : "ended by Ctrl-C (SIGINT)";
}

std::deque<Command> Control::waitForCommands() {
    std::unique_lock lock(m_mutex);
    while (m_paused && m_queue.empty() && stopSignal().count == 0)
        m_arrived.wait_for(lock, kSignalCheck);
    return std::exchange(m_queue, {});
}

Control::Answers readAnswers(const RunFolder& folder) {
    Control::Answers answers;
    EventReader reader(folder);
    for (auto lines = reader.readLines(); !lines.empty(); lines = reader.readLines())
        for (const auto& line : lines) {
            if (line.bytes.find("\"kind\":\"command\"") == std::string::npos)
                continue;
            if (auto record = decodeRecord(line.bytes); record.ok())
                if (const auto* event = std::get_if<CommandEvent>(&record.value().event))
                    answers[event->id] = *event;
        }
    return answers;
}

}  // namespace unmask
