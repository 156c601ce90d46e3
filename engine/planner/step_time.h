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

// The same by part of the model and by direction, a token, on all of the block or head.
struct PartFlops {
    double forward = 0;
    double inputBackward = 0;  // recomputing included
    double weightBackward = 0;
    double total() const { return forward + inputBackward + weightBackward; }
};
PartFlops blockFlopsPerToken(const ModelConfig& model, BlockPolicy policy, int64_t layer);
PartFlops headFlopsPerToken(const ModelConfig& model);

// What of a device's stated rate a whole step reaches in this precision, measured on an H200 and on CPUs. `stated` is
// of dense bfloat16 products on a GPU, of fp32 products on a CPU.
double stepFlopsPerSecond(const RunSpec& spec, const ModelConfig& model, double stated, bool gpu);
// Seconds of the optimizer for so many parameters, with the memory bandwidth of a rank.
double updateSeconds(const RunSpec& spec, double parameters, double bytesPerSecond, bool gpu);

// Matrix products of fp32 a second on all cores that the run uses: the probe's figure, else a guess by core count.
std::optional<double> matrixFlopsPerSecond(const RunSpec& spec, const Hardware& hardware);

std::optional<double> estimateSecondsPerStep(const RunSpec& spec, const ModelConfig& model, const Hardware& hardware);

}  // namespace unmask
