// SPDX-License-Identifier: Apache-2.0
// What people and the system want from the run, agreed on between two steps. A pause waits here. Each command is
// answered in the journal under its id once it has been carried out; a repeated id is answered again and not acted on
// twice.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/journal/event_writer.h"
#include "engine/metrics/recorder.h"
#include "engine/protocol/commands.h"
#include "engine/train/stop_signals.h"

namespace unmask {

struct Wishes {
    bool stop = false;
    bool saveFirst = true;
    ErrorCode exitCode = ErrorCode::stopped;
    std::string reason;
    std::vector<Command> stops;  // commands behind the wish to stop; none when it was a signal
    std::vector<Command> checkpoints;
    std::vector<Command> samples;
    bool paused = false;  // the run stays paused: carry the wishes out and ask again
};

class Control {
 public:
    using ApplySetting = std::function<Outcome(const Command&, std::string& detail)>;
    using Answers = std::map<std::string, CommandEvent>;

    // answered: ids that earlier attempts have already answered.
    Control(EventWriter& journal, TrainingClock& clock, Answers answered);

    void onSetting(ApplySetting apply) { m_applySetting = std::move(apply); }
    void submit(Command command);  // from any thread
    bool asked();                  // a command or a signal waits to be carried out
    Wishes agree(int64_t step);    // called between steps by the loop alone
    void answer(const Command& command, bool accepted, const std::string& detail);
    void refuseRest(const std::string& reason);  // what came too late

 private:
    void take(const Command& command, Wishes& wishes);
    void pause(const Command& command);
    void resume(const Command& command);
    void noteSignal(Wishes& wishes) const;
    std::deque<Command> waitForCommands();

    EventWriter& m_journal;
    TrainingClock& m_clock;
    ApplySetting m_applySetting;
    int64_t m_step = 0;
    bool m_paused = false;
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<Command> m_queue;
    Answers m_answered;
    std::map<std::string, CommandKind> m_pending;  // taken, not yet answered
};

// Answers of a journal, by id; "" never stands among them.
Control::Answers readAnswers(const RunFolder& folder);

}  // namespace unmask
