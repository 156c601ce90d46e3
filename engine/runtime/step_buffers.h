// SPDX-License-Identifier: Apache-2.0
// The buffers of all layers in one arena, and their views for a micro-batch of N tokens with R scored rows.
#pragma once

#include <vector>

#include "engine/model/layer.h"
#include "engine/protocol/model_config.h"
#include "engine/runtime/arena.h"

namespace unmask {

class StepBuffers {
 public:
    StepBuffers(const ModelConfig& model, const StepShape& shape, BlockPolicy policy, at::ScalarType type,
                at::Device device = at::kCPU);

    SavedBuffers block(int64_t layer, int64_t tokens, int64_t scored) const;
    WorkBuffers work(int64_t tokens, int64_t scored) const;
    // The bytes that one copy fills on a GPU: tokens to segmentBounds.
    const at::Tensor& staging() const { return m_staging; }
    const Arena& arena() const { return m_arena; }

 private:
    using BlockMemory = std::vector<at::Tensor>;  // flat, indexed by BlockBuffer
    void takeBlocks(const ModelConfig& model, BlockPolicy policy, at::ScalarType type);

    StepShape m_shape;
    Arena m_arena;
    std::vector<BlockMemory> m_blocks;
    std::vector<at::Tensor> m_work;  // flat, indexed by WorkBuffer
    at::Tensor m_staging;
    int64_t m_heads;
};

}  // namespace unmask
