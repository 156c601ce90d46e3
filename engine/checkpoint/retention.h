// SPDX-License-Identifier: Apache-2.0
// Which checkpoints may go. Pure arithmetic, so that its promise can be tested over any history: once two saves exist,
// at least two acknowledged, verified, finite checkpoints are on disk at every instant.
#pragma once

#include <cstdint>
#include <vector>

namespace unmask {

struct RetentionInput {
    std::vector<int64_t> acknowledged;  // steps with a published, verified, finite folder, in any order
    int64_t keepLast = 3;               // values below 2 count as 2
    int64_t resumedFrom = -1;           // stays until two newer ones are verified
};

std::vector<int64_t> removableSteps(const RetentionInput& input);  // oldest first

}  // namespace unmask
