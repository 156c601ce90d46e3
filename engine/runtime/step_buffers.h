// SPDX-License-Identifier: Apache-2.0
// The buffers of the layers held here in one arena, and their views for a micro-batch of N tokens with R scored rows.
#pragma once

#include <vector>

#include "engine/model/layer.h"
#include "engine/protocol/model_config.h"
#include "engine/runtime/arena.h"

namespace unmask {

class StepBuffers {
 public:
    // sets: micro-batches whose activations are held at once, as in a pipeline; they share all that is not kept.
    StepBuffers(const ModelConfig& model, const StepShape& shape, BlockPolicy policy, at::ScalarType type,
                at::Device device = at::kCPU, int64_t sets = 1);

    // block: of those held here, from 0 on
    SavedBuffers block(int64_t block, int64_t tokens, int64_t scored, int64_t set = 0) const;
    WorkBuffers work(int64_t tokens, int64_t scored) const;
    // The bytes that one copy fills on a GPU: tokens to segmentBounds.
    const at::Tensor& staging() const { return m_staging; }
    const Arena& arena() const { return m_arena; }

 private:
    using BlockMemory = std::vector<at::Tensor>;  // flat, indexed by BlockBuffer
    std::vector<std::vector<BufferSize>> blockSizes(const ModelConfig& model) const;
    int64_t keptBytes(const ModelConfig& model, BlockPolicy policy) const;
    void takeBlocks(const ModelConfig& model, BlockPolicy policy, at::ScalarType type);

    StepShape m_shape;
    int64_t m_sets;
    Arena m_arena;
    std::vector<BlockMemory> m_blocks;  // of each set, one behind the other
    std::vector<at::Tensor> m_work;     // flat, indexed by WorkBuffer
    at::Tensor m_staging;
    int64_t m_heads;
};

}  // namespace unmask
