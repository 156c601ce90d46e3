// SPDX-License-Identifier: Apache-2.0
// One attempt of a run, from its folder to its end record: lock, journal, data, objects, loop. The one place where an
// attempt's errors are caught, journalled and put into words. Of several ranks the first keeps the run's journal and
// checkpoints; each other has a folder of its own below ranks/ with its journal and signs of life.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/journal/run_folder.h"
#include "engine/parallel/rank_team.h"

namespace unmask {

struct TrainingRequest {
    RunFolder folder;
    bool resume = false;                                        // the run has been trained before
    std::vector<std::pair<std::string, std::string>> settings;  // changed on a resume: path, value as text
    std::optional<TeamPlace> team;                              // where several ranks train the run
};

// Returns how it ended; what went wrong stands in the journal and, as one sentence, on `errors`.
ErrorCode runTraining(const TrainingRequest& request, std::ostream& errors);

// What any exception means for people and for the exit code.
Error describeException(std::exception_ptr exception);

}  // namespace unmask
