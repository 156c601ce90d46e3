// SPDX-License-Identifier: Apache-2.0
// Memory of the ranks of a layout by part. Ranks of one pipeline stage hold equal amounts, so there is one entry a
// stage.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/planner/plan.h"

namespace unmask {

struct StageMemory {
    std::vector<int64_t> layers;  // blocks of the model, ascending
    MemoryBytes bytes;            // of each rank of this stage
};

// More than any machine has, and than the arithmetic below can hold.
bool beyondCounting(const RunSpec& spec);

// Sizes that do not divide give figures of the right order; layoutRules refuses them.
std::vector<StageMemory> layoutMemory(const RunSpec& spec, const PlanTarget& target);

int64_t weightElementBytes(const RunSpec& spec);  // as the device computes with them
int64_t stateElementBytes(const RunSpec& spec);   // weight, gradient and optimizer state of a parameter together

}  // namespace unmask
