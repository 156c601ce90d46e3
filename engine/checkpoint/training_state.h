// SPDX-License-Identifier: Apache-2.0
// What a training run is, between two steps: named tensors and counters. Handed over as views; the store copies.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "engine/base/json.h"

namespace unmask {

struct NamedTensor {
    std::string name;  // logical name, the same for every layout: "blocks.0.attention.query"
    at::Tensor tensor;
};

struct TrainingStateView {
    std::vector<NamedTensor> weights;    // → weights.safetensors, which sampling and export read alone
    std::vector<NamedTensor> optimizer;  // → optimizer.safetensors: moments by parameter name, "adam_m.blocks.0.…"
    Json counters = Json::object();      // step, tokens, data position, schedule, RNG, best metric, …
};

struct LoadedCheckpoint {
    int64_t step = 0;
    std::string folder;        // "step-100"
    std::string manifestHash;  // as the journal acknowledged it
    std::vector<NamedTensor> weights;
    std::vector<NamedTensor> optimizer;  // empty when only weights were read
    Json counters;
    std::vector<std::string> passedOver;  // readNewestCheckpoint: newer ones that are damaged, each with its reason
};

// Copies into the tensors of `target`. Every name must be there on both sides with the same shape and dtype, or as a
// narrower floating type in the checkpoint; otherwise Error(badInput) names the tensor and nothing has been copied.
void restoreState(const LoadedCheckpoint& loaded, const TrainingStateView& target);
void restoreWeights(const LoadedCheckpoint& loaded, const std::vector<NamedTensor>& target);

}  // namespace unmask
