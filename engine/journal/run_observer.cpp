// SPDX-License-Identifier: Apache-2.0
// The table of states: evidence in, one word out. The strongest evidence is asked first: an end record of the newest
// attempt, then a missing folder, then the process, then its heartbeat.
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "engine/base/text.h"
#include "engine/journal/run_state.h"

namespace unmask {
namespace {
constexpr double kStalledAfterSeconds = 10;
constexpr double kStartingSeconds = 60;  // a run without any sign of a writer counts as starting for so long

int64_t newestAttempt(const RunEvidence& e) {
    int64_t attempt = e.journal ? e.journal->lastAttempt : 0;
    if (e.holder)
        attempt = std::max(attempt, e.holder->attempt);
    if (e.state)
        attempt = std::max(attempt, e.state->attempt);
    return attempt;
}

bool holderLives(const RunEvidence& e) {
    return e.holder && !e.holder->released && e.holderOnThisHost && e.holderLife == ProcessLife::alive;
}

std::string process(const RunEvidence& e) {
    return "process " + std::to_string(e.holder->process.pid);
}

RunWord wordOfOutcome(const std::string& outcome) {
    if (outcome == "finished")
        return RunWord::finished;
    if (outcome == "stopped")
        return RunWord::stopped;
    return outcome == "signal" ? RunWord::interrupted : RunWord::failed;
}

// An end record is void once a later attempt has begun. That of a start which came to nothing before its worker took
// the run names the attempt that would have been.
bool judgeByEnd(const RunEvidence& e, int64_t attempt, RunStatus& status) {
    if (e.journal && e.journal->lastAttempt == attempt) {
        if (e.journal->finished) {
            status.word = e.journal->finished->outcome == "finished" ? RunWord::finished : RunWord::stopped;
            status.evidence = e.journal->finished->reason;
            return true;
        }
        if (e.journal->failed) {
            status.word = RunWord::failed;
            status.evidence = e.journal->failed->reason;
            return true;
        }
    }
    if (!e.exit || e.exit->attempt < attempt || holderLives(e))
        return false;
    status.word = wordOfOutcome(e.exit->outcome);
    status.evidence = e.exit->reason;
    return true;
}

void judgeLiving(const RunEvidence& e, int64_t attempt, RunStatus& status) {
    const bool current = e.state && e.state->attempt == attempt;
    if (!current) {
        status.word = RunWord::starting;
        status.evidence = "the writer of attempt " + std::to_string(attempt) + " is starting";
        return;
    }
    if (e.heartbeatAgeSeconds > kStalledAfterSeconds) {
        status.word = RunWord::stalled;
        status.evidence = "no heartbeat for " + formatDuration(std::floor(e.heartbeatAgeSeconds)) +
                          (e.state->phase.empty() ? "" : " while " + e.state->phase);
        return;
    }
    const bool paused = e.journal && e.journal->lastAttempt == attempt && e.journal->paused;
    status.word = paused ? RunWord::paused : RunWord::running;
    status.evidence = (e.holder ? process(e) : "the writer") + " lives and its heartbeat moves";
}

void judgeWithoutWriter(const RunEvidence& e, RunStatus& status) {
    if (!e.holder && !e.state && (!e.journal || e.journal->lastSeq == 0) && e.folderAgeSeconds < kStartingSeconds) {
        status.word = RunWord::starting;
        status.evidence = "the run folder was just made";
        return;
    }
    status.word = RunWord::interrupted;
    if (!e.holder)
        status.evidence = "no process has ever taken this run";
    else if (e.holder->released)
        status.evidence = process(e) + " gave the run back without an end record";
    else if (e.holderLife == ProcessLife::otherBoot)
        status.evidence = "the computer was restarted while " + process(e) + " was training";
    else
        status.evidence = process(e) + " is gone and left no end record";
}

}  // namespace

RunStatus judgeRun(const RunEvidence& e) {
    RunStatus status;
    const int64_t attempt = newestAttempt(e);
    status.attempt = attempt;
    status.totalSteps = e.plannedSteps;
    if (e.journal) {
        status.step = e.journal->lastStep;
        status.seq = status.durableSeq = e.journal->lastSeq;
        status.phase = e.journal->phase;
    }
    if (e.state && e.state->attempt == attempt) {
        status.phase = e.state->phase;
        status.step = std::max(status.step, e.state->step);
        status.seq = std::max(status.seq, e.state->seq);
        status.durableSeq = e.state->durableSeq;
        if (e.state->totalSteps > 0)
            status.totalSteps = e.state->totalSteps;
    }
    if (!e.folderReadable) {
        status.word = RunWord::lost;
        status.evidence = e.folderProblem;
    } else if (judgeByEnd(e, attempt, status)) {
        if (status.evidence.empty())
            status.evidence = "the end record says so";
    } else if (holderLives(e)) {
        judgeLiving(e, attempt, status);
    } else if (e.holder && !e.holder->released && !e.holderOnThisHost) {
        judgeLiving(e, attempt, status);
        status.evidence += "; it is on " + e.holder->host + ", whose processes cannot be asked from here";
    } else {
        judgeWithoutWriter(e, status);
    }
    return status;
}

RunObserver::RunObserver(RunFolder folder, std::function<double()> steadySeconds)
    : m_folder(std::move(folder)), m_steadySeconds(std::move(steadySeconds)), m_reader(m_folder) {}

// Until the counter has been seen to move, the writer's own steady clock tells the age: it is the same clock within one
// boot. Wall clocks are never compared.
double RunObserver::heartbeatAge(const RunState& state) {
    const double now = m_steadySeconds();
    if (state.heartbeat != m_lastHeartbeat) {
        const bool first = m_lastHeartbeat < 0;
        const bool comparable =
            state.steadySeconds > 0 && state.steadySeconds <= now && state.process.bootId == bootId();
        m_heartbeatSeenAt = first && comparable ? state.steadySeconds : now;
        m_lastHeartbeat = state.heartbeat;
    }
    return now - m_heartbeatSeenAt;
}

RunStatus RunObserver::observe() {
    try {
        return judgeRun(gather());
    } catch (const Error& error) {  // a file that cannot be opened or read
        RunEvidence evidence;
        evidence.folderProblem = error.what();
        evidence.plannedSteps = m_plannedSteps;
        evidence.journal = &m_summary;
        return judgeRun(evidence);
    }
}

RunEvidence RunObserver::gather() {
    RunEvidence evidence;
    const auto description = readRunDescription(m_folder);
    evidence.folderReadable = description.ok();
    if (!description) {
        evidence.folderProblem = description.error().what();
    } else if (m_runId.empty()) {
        m_runId = description.value().id;
        m_plannedSteps = description.value().spec.training.steps;
    } else if (description.value().id != m_runId) {
        evidence.folderReadable = false;
        evidence.folderProblem = "the folder now holds another run, " + description.value().id;
    }
    evidence.plannedSteps = m_plannedSteps;
    struct stat info {};
    if (::stat(m_folder.runFile().c_str(), &info) == 0)
        evidence.folderAgeSeconds = std::difftime(::time(nullptr), info.st_mtime);
    // The end of a process is asked before the journal is read: so an end record written just before it is not missed.
    evidence.holder = readLockHolder(m_folder);
    if (evidence.holder) {
        evidence.holderOnThisHost = evidence.holder->host == hostName();
        evidence.holderLife = lifeOf(evidence.holder->process);
    }
    evidence.state = readRunState(m_folder);
    if (evidence.state)
        evidence.heartbeatAgeSeconds = heartbeatAge(*evidence.state);
    evidence.exit = readExitRecord(m_folder);
    for (auto records = m_reader.readRecords(); !records.empty(); records = m_reader.readRecords())
        for (const EventRecord& record : records)
            addToSummary(m_summary, record);
    m_summary.damages = m_reader.damages();
    evidence.journal = &m_summary;
    return evidence;
}

}  // namespace unmask
