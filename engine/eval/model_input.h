// SPDX-License-Identifier: Apache-2.0
// What an objective decided (host arrays) as what the chain runner takes (tensors). Copies; nothing refers back.
#pragma once

#include <span>

#include "engine/objective/objective.h"
#include "engine/runtime/chain_runner.h"

namespace unmask {

struct ModelInput {
    StepInput step;
    at::Tensor targets;  // (R) int64
    at::Tensor weights;  // (R) float64
};

ModelInput modelInput(const NoisyBatch& noisy, const MicroBatch& batch);
// One sequence, whole.
StepInput sequenceInput(std::span<const int32_t> tokens, std::span<const int32_t> scoredPositions);

}  // namespace unmask
