// SPDX-License-Identifier: Apache-2.0
// The parent of a run's ranks: starts them, passes on the wish to end, tries again within the budget, and writes
// exit.json. Costs nothing while the run trains; the caller calls poll() several times a second.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/launch/exit_report.h"
#include "engine/launch/meeting_folder.h"
#include "engine/launch/rank_group.h"
#include "engine/launch/restart_policy.h"
#include "engine/launch/worker_program.h"

namespace unmask {

struct LaunchPlan {
    RunFolder folder;
    bool resume = false;                // the run has been trained before
    std::vector<std::string> settings;  // "path=value" that differ from run.json
    int64_t restartBudget = 0;
    int64_t threads = 0;  // 0 leaves thread counts alone
    int worldSize = 1;    // ranks, all on this node
};

class Supervisor {
 public:
    using Say = std::function<void(const std::string&)>;  // a line for people
    Supervisor(WorkerProgram worker, LaunchPlan plan, Say say);
    ~Supervisor();  // nothing of the run is left alive
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;

    void start();
    bool poll();  // false when all is over
    // SIGINT, SIGTERM or SIGHUP that the supervisor got. The first saves; a second does not; a third kills.
    void interrupt(int signal);

    int exitCode() const { return static_cast<int>(m_end.record.exitCode); }
    const AttemptEnd& end() const { return m_end; }  // of the last attempt
    pid_t workerPid() const { return m_ranks.pidOf(0); }

 private:
    void startAttempt();
    bool finishAttempt();
    void writeExit();
    std::string reasonOf(const RankGroup::End& culprit) const;
    ChildOptions optionsFor(int rank) const;

    WorkerProgram m_worker;
    LaunchPlan m_plan;
    Say m_say;
    RestartPolicy m_policy;
    std::optional<MeetingFolder> m_meeting;  // of the present attempt, where there are several ranks
    RankGroup m_ranks;
    AttemptStart m_attemptStart;
    AttemptEnd m_end;
    int m_interrupts = 0;
    std::optional<SteadyClock::time_point> m_restartAt;
};

}  // namespace unmask
