// SPDX-License-Identifier: Apache-2.0
// The walk along the chain, forward and back, with one policy for all blocks. Reads nothing of the batch on the host,
// so on a GPU all of it can be captured.
#pragma once

#include <vector>

#include "engine/model/transformer.h"

namespace unmask {

struct ChainWalk {
    Transformer& model;
    BlockPolicy policy;
    StepContext context;               // of the present micro-batch
    std::vector<SavedBuffers> blocks;  // of the present micro-batch
    at::Tensor tokens;                 // (N)

    Stream forward();
    // gradient: of the stream that forward returned.
    void backward(at::Tensor gradient);
};

}  // namespace unmask
