// SPDX-License-Identifier: Apache-2.0
// The walk along the chain, forward and back, with one policy for all blocks. Reads nothing of the batch on the host,
// so on a GPU all of it can be captured.
#pragma once

#include <vector>

#include "engine/model/transformer.h"
#include "engine/ops/slab_traffic.h"

namespace unmask {

struct ChainWalk {
    Transformer& model;
    BlockPolicy policy;
    StepContext context;               // of the present micro-batch
    std::vector<SavedBuffers> blocks;  // of the present micro-batch
    at::Tensor tokens;                 // (N)
    SlabTraffic* traffic = nullptr;    // where devices share the model

    Stream forward();
    // gradient: of the stream that forward returned.
    void backward(at::Tensor gradient);
    // The blocks [first, end) alone, in a pipeline. `stillThere`: the last block's shared buffers hold what forward
    // left.
    Stream forwardBlocks(Stream stream, size_t first, size_t end);
    at::Tensor backwardBlocks(at::Tensor gradient, size_t first, size_t end, BackwardPart part, bool stillThere);
    // The traffic of a walk without the walk: a device whose micro-batch scores nothing keeps step with the others.
    enum class Pass { forward, forwardAndBackward };
    void passBy(Pass pass);
    void headLeft() const;  // after its backward pass

 private:
    size_t headSlab() const { return model.blocks().size() + 1; }
};

}  // namespace unmask
