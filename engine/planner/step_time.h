// SPDX-License-Identifier: Apache-2.0
// How long an update takes, from arithmetic and the machine's speed. An estimate to choose by, not a promise.
#pragma once

#include <optional>

#include "engine/planner/hardware.h"
#include "engine/planner/layer_memory.h"
#include "engine/protocol/run_spec.h"

namespace unmask {

// What really runs, forward and backward, for one token: the head and the last block's queries on half of the rows,
// which is what masks select on average, and blocks computed twice where they are recomputed.
double executedFlopsPerToken(const ModelConfig& model, BlockPolicy policy);

// Matrix products of fp32 a second on all cores that the run uses: the probe's figure, else a guess by core count.
std::optional<double> matrixFlopsPerSecond(const RunSpec& spec, const Hardware& hardware);

std::optional<double> estimateSecondsPerStep(const RunSpec& spec, const ModelConfig& model, const Hardware& hardware);

}  // namespace unmask
