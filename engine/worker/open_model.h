// SPDX-License-Identifier: Apache-2.0
// A run's model with the weights of one of its checkpoints, for those who only read.
#pragma once

#include <string>

#include "engine/journal/run_folder.h"
#include "engine/train/assemble_run.h"

namespace unmask::worker {

struct OpenModel {
    RunFolder folder;
    RunDescription description;
    std::string checkpoint;  // "step-900"
    int64_t step = 0;
    AssembledModel model;
};

// run: folder or id; checkpoint: "step-N", empty takes the newest good one.
OpenModel openModel(const std::string& run, const std::string& checkpoint, int64_t microRows);

}  // namespace unmask::worker
