// SPDX-License-Identifier: Apache-2.0
// Whether a failed attempt is tried again, and when. Only faults that may be gone the next time are worth it, and never
// two in a row without a checkpoint between them.
#pragma once

#include <cstdint>

#include "engine/launch/child_process.h"

namespace unmask {

class RestartPolicy {
 public:
    explicit RestartPolicy(int64_t budget) : m_budget(budget) {}

    struct Decision {
        bool restart = false;
        double delaySeconds = 0;
        const char* reason = "";  // why not, or which try
    };
    // askedToEnd: somebody asked this run to end, so its end is no fault. acknowledged: checkpoints saved in the
    // attempt.
    Decision decide(const ExitStatus& status, bool askedToEnd, bool acknowledged);
    int64_t used() const { return m_used; }

 private:
    int64_t m_budget;
    int64_t m_used = 0;
    bool m_failedBefore = false;
};

}  // namespace unmask
