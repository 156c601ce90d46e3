// SPDX-License-Identifier: Apache-2.0
// The ranks of one node. When one ends, the others are ended too: SIGCONT and SIGTERM, after a grace SIGKILL, always by
// exact pid. The first that failed is the culprit; what the others then say is a consequence. That a rank lost the
// others is never the cause: who then goes on silently is.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "engine/base/clock.h"
#include "engine/launch/child_process.h"

namespace unmask {

class RankGroup {
 public:
    struct End {
        int rank = 0;
        ExitStatus status;
        bool silent = false;  // it did not fail, the others waited for it in vain
    };

    void start(const std::vector<ChildOptions>& ranks);  // throws when one cannot be started; the others are then ended
    void poll();                                         // reaps and escalates; call it at least each 200 ms
    bool running() const;
    void send(int signal);                                    // to every living rank
    void killAfter(std::chrono::seconds grace);               // SIGKILL for what is alive then
    void endNow();                                            // SIGKILL and wait: nothing of the group is left
    std::optional<End> culprit() const { return m_culprit; }  // of an ended group always set
    pid_t pidOf(int rank) const { return m_ranks.at(static_cast<size_t>(rank)).pid(); }

 private:
    void noteEnd(size_t rank, const ExitStatus& status);
    void endOthers();

    std::vector<ChildProcess> m_ranks;
    std::vector<bool> m_ended;
    std::optional<End> m_culprit;
    std::optional<SteadyClock::time_point> m_killAt;
    bool m_endingOthers = false;
    std::optional<SteadyClock::time_point> m_lostOthersAt;  // the first rank that said so
    std::optional<size_t> m_silent;
};

}  // namespace unmask
