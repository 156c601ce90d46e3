// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/supervisor.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "engine/base/text.h"
#include "engine/journal/run_lock.h"
#include "engine/launch/leftover_workers.h"

namespace unmask {
namespace {

constexpr std::chrono::seconds kGraceWithoutSaving{10};

bool saysStopped(int64_t exitCode) {
    return exitCode == static_cast<int64_t>(ErrorCode::stopped) ||
           exitCode == static_cast<int64_t>(ErrorCode::preempted);
}

// A start that failed before its worker took the run used the number that the next attempt will have; its end record
// must not be taken for that one's.
void forgetFailedStart(const RunFolder& folder, int64_t lastAttempt) {
    const auto record = readExitRecord(folder);
    std::error_code ignored;
    if (record && record->attempt > lastAttempt)
        std::filesystem::remove(folder.exitFile(), ignored);
}

// A worker that is asked to end before it listens for signals ends by them; nothing went wrong.
void tellStopBeforeStart(AttemptEnd& end, int signal) {
    const bool interrupted = signal == SIGINT;
    end.record.outcome = "stopped";
    end.record.exitCode = static_cast<int64_t>(interrupted ? ErrorCode::stopped : ErrorCode::preempted);
    end.record.reason =
        std::string(interrupted ? "ended by Ctrl-C (SIGINT)" : "ended by SIGTERM") + " before it had begun";
}

}  // namespace

Supervisor::Supervisor(WorkerProgram worker, LaunchPlan plan, Say say)
    : m_worker(std::move(worker)), m_plan(std::move(plan)), m_say(std::move(say)), m_policy(m_plan.restartBudget) {}

Supervisor::~Supervisor() {
    if (m_ranks.running())
        m_ranks.endNow();
}

void Supervisor::start() {
    startAttempt();
}

ChildOptions Supervisor::optionsFor(int rank) const {
    ChildOptions options;
    options.executable = m_worker.executable;
    options.arguments = {"rank", "--run", m_plan.folder.path.string()};
    if (m_plan.resume)
        options.arguments.emplace_back("--resume");
    for (const std::string& setting : m_plan.settings) {
        options.arguments.emplace_back("--set");
        options.arguments.push_back(setting);
    }
    // The ranks share the cores of the node.
    options.environment =
        workerEnvironment(m_worker, m_plan.threads > 0 ? std::max<int64_t>(1, m_plan.threads / m_plan.worldSize) : 0);
    if (m_meeting)
        setVariable(options.environment, "UNMASK_MEETING", m_meeting->file().string());
    setVariable(options.environment, kSupervisorVariable, std::to_string(::getpid()));
    setRankVariables(options.environment, {.rank = rank, .worldSize = m_plan.worldSize, .localRank = rank});
    options.outputFile = rankLog(m_plan.folder, rank);
    options.ownProcessGroup = true;  // Ctrl-C reaches the supervisor alone, which passes it on once
    options.deathSignal = SIGTERM;   // an orphan saves and ends
    return options;
}

void Supervisor::startAttempt() {
    m_restartAt.reset();
    m_attemptStart = noteAttemptStart(m_plan.folder);
    forgetFailedStart(m_plan.folder, m_attemptStart.lastAttempt);
    m_meeting.reset();
    if (m_plan.worldSize > 1)
        m_meeting.emplace();
    std::vector<ChildOptions> ranks;
    ranks.reserve(static_cast<size_t>(m_plan.worldSize));
    for (int rank = 0; rank < m_plan.worldSize; ++rank)
        ranks.push_back(optionsFor(rank));
    m_ranks.start(ranks);
}

bool Supervisor::poll() {
    if (m_restartAt) {
        if (m_interrupts > 0) {
            writeExit();
            return false;
        }
        if (SteadyClock::now() < *m_restartAt)
            return true;
        startAttempt();
    }
    m_ranks.poll();
    return m_ranks.running() || finishAttempt();
}

bool Supervisor::finishAttempt() {
    const RankGroup::End culprit = *m_ranks.culprit();
    m_end = describeEnd(m_plan.folder, culprit.status, m_attemptStart);
    if (m_interrupts > 0 && !m_end.wroteRecords &&
        (culprit.status.signal == SIGINT || culprit.status.signal == SIGTERM))
        tellStopBeforeStart(m_end, culprit.status.signal);
    if (m_plan.worldSize > 1 && culprit.status.asShellCode() != 0)
        m_end.record.reason = reasonOf(culprit);
    if (culprit.status.asShellCode() == 0) {
        writeExit();
        return false;
    }
    const auto decision = m_policy.decide(culprit.status, m_interrupts > 0, m_end.acknowledged);
    if (!decision.restart) {
        if (m_plan.restartBudget > 0 && !saysStopped(m_end.record.exitCode))
            m_say("The run is not tried again: " + std::string(decision.reason) + ".");
        writeExit();
        return false;
    }
    m_say(m_end.record.reason + "; " + decision.reason + " in " + formatDuration(decision.delaySeconds) + " (" +
          std::to_string(m_policy.used()) + " of " + std::to_string(m_plan.restartBudget) + ").");
    m_plan.resume = true;
    m_restartAt = SteadyClock::now() + std::chrono::milliseconds(static_cast<int64_t>(decision.delaySeconds * 1000));
    return true;
}

// The journal is rank 0's: where another rank is to blame, it says no more than that the others were lost.
std::string Supervisor::reasonOf(const RankGroup::End& culprit) const {
    const std::string name = "rank " + std::to_string(culprit.rank);
    if (culprit.silent)
        return name + " did not answer any more, and the others waited for it in vain";
    if (culprit.status.signal != 0)
        return name + " was ended by " + signalName(culprit.status.signal);
    if (culprit.rank == 0)
        return name + ": " + m_end.record.reason;
    const std::string last = logTail(rankLog(m_plan.folder, culprit.rank), 0, 1);
    return name + ": " + (last.empty() ? m_end.record.reason : last);
}

void Supervisor::writeExit() {
    // Another engine may train this run by now (this one was refused by its lock): its state is not ours to write.
    if (isLocked(m_plan.folder))
        return;
    try {
        writeExitRecord(m_plan.folder, m_end.record);
    } catch (const Error& error) {
        m_say("The end of the run could not be written down: " + plainMessage(error));
    }
}

void Supervisor::interrupt(int signal) {
    ++m_interrupts;
    if (m_interrupts >= 3) {
        m_ranks.send(SIGKILL);
        return;
    }
    m_ranks.send(SIGCONT);
    m_ranks.send(signal == SIGINT ? SIGINT : SIGTERM);
    if (m_interrupts == 2)
        m_ranks.killAfter(kGraceWithoutSaving);
}

}  // namespace unmask
