// SPDX-License-Identifier: Apache-2.0
// Workers whose supervisor was killed. Its death told them to save and end, which takes a moment, more while they are
// still loading; whoever goes on with the run waits for them instead of being refused by their lock.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "engine/journal/run_folder.h"

namespace unmask {

// What a supervisor tells its ranks, so that they can be told from those whose parent is another process by now.
constexpr const char* kSupervisorVariable = "UNMASK_SUPERVISOR";  // its pid

std::vector<pid_t> leftoverWorkers(const RunFolder& folder);

// Returns when there are none, or after so many seconds. `say` hears once for whom it waits.
void awaitLeftoverWorkers(const RunFolder& folder, const std::function<void(const std::string&)>& say,
                          double seconds = 120);

}  // namespace unmask
