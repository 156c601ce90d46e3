// SPDX-License-Identifier: Apache-2.0
// state.json (news, replaced each second), exit.json (one an attempt, by the supervisor), and the one word that says
// how a run stands, decided by evidence and never guessed.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/base/process_identity.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_folder.h"
#include "engine/journal/run_lock.h"

namespace unmask {

struct RunState {
    int64_t attempt = 0;
    std::string phase;
    int64_t step = 0;
    int64_t totalSteps = 0;  // as this attempt knows it; 0: see run.json
    int64_t seq = 0;
    int64_t durableSeq = 0;
    ProcessIdentity process;   // of rank 0
    int64_t heartbeat = 0;     // grows each second; observers time it on their own steady clock
    std::string writtenAt;     // UTC, for display
    double steadySeconds = 0;  // CLOCK_MONOTONIC at the writing: good within one boot. writeRunState fills both
};
void writeRunState(const RunFolder& folder, const RunState& state);
std::optional<RunState> readRunState(const RunFolder& folder);

struct ExitRecord {
    int64_t attempt = 0;
    std::string outcome;  // "finished", "stopped", "failed", "signal"
    std::string reason;
    int64_t exitCode = 0;
    int64_t lastStep = 0;
    std::string writtenAt;  // writeExitRecord fills it
};
void writeExitRecord(const RunFolder& folder, const ExitRecord& record);
std::optional<ExitRecord> readExitRecord(const RunFolder& folder);

enum class RunWord { starting, running, paused, stalled, interrupted, lost, failed, stopped, finished };
std::string_view runWordName(RunWord word);
RunWord runWordFromName(std::string_view name);  // lost when unknown

struct RunStatus {
    RunWord word = RunWord::lost;
    std::string evidence;  // sentence: why this word
    std::string phase;
    int64_t attempt = 0;
    int64_t step = 0;
    int64_t totalSteps = 0;
    int64_t seq = 0;
    int64_t durableSeq = 0;
    bool alive() const {
        return word == RunWord::starting || word == RunWord::running || word == RunWord::paused ||
               word == RunWord::stalled;
    }
};

// What the table of states is asked with; gathered by RunObserver, made by hand in tests.
struct RunEvidence {
    bool folderReadable = false;
    std::string folderProblem;
    double folderAgeSeconds = 0;  // since run.json was written
    std::optional<LockHolder> holder;
    bool holderOnThisHost = true;
    ProcessLife holderLife = ProcessLife::gone;
    std::optional<RunState> state;
    double heartbeatAgeSeconds = 0;  // on the observer's steady clock
    std::optional<ExitRecord> exit;
    const JournalSummary* journal = nullptr;
    int64_t plannedSteps = 0;
};
RunStatus judgeRun(const RunEvidence& evidence);

double steadySecondsNow();  // CLOCK_MONOTONIC, the same for all processes of one boot

// Observes one run over time, so that an unmoved heartbeat (> 10 s on this observer's steady clock) can be told.
class RunObserver {
 public:
    explicit RunObserver(RunFolder folder, std::function<double()> steadySeconds = steadySecondsNow);
    RunStatus observe();  // cheap enough for each second: reads state.json, exit.json, lock and the journal's new tail
    const RunFolder& folder() const { return m_folder; }
    const JournalSummary& journal() const { return m_summary; }

 private:
    RunEvidence gather();
    double heartbeatAge(const RunState& state);

    RunFolder m_folder;
    std::function<double()> m_steadySeconds;
    int64_t m_lastHeartbeat = -1;
    double m_heartbeatSeenAt = 0;
    std::string m_runId;
    int64_t m_plannedSteps = 0;
    EventReader m_reader;
    JournalSummary m_summary;
};

}  // namespace unmask
