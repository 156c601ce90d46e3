// SPDX-License-Identifier: Apache-2.0
// A stage of a pipeline: carries out its list of operations (planner/pipeline_schedule) over its pieces of the chain,
// and speaks to the stages before and behind. Streams travel added up, as one tensor.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "engine/ops/stage_links.h"
#include "engine/planner/pipeline_schedule.h"
#include "engine/runtime/chain_walk.h"

namespace unmask {

struct StageBatch;

// Most micro-batches that a chunk of the stage holds at once.
int64_t stageSets(const PipelineShape& shape, int64_t stage);

class StageWalk {
 public:
    struct Hooks {
        // Makes `walk` ready for the batch, its blocks those of a set of buffers.
        std::function<void(const StageBatch& batch, int64_t set)> prepare;
        // On the last piece: losses of the batch and the gradient of the stream, which the caller may keep.
        std::function<at::Tensor(size_t batch, const Stream& stream)> head;
    };
    StageWalk(ChainWalk& walk, const PipelineShape& shape, int64_t stage);

    void link(StageLinks* links) { m_links = links; }
    StageLinks* links() const { return m_links; }
    bool isLast() const { return m_stage + 1 == m_shape.stages; }

    // One batch forward alone, in the first set. The stream on the last stage, nothing on others.
    Stream forward();
    // A step. Batches that score nothing are passed over by every stage.
    void run(const std::vector<StageBatch>& batches, const Hooks& hooks);

 private:
    struct Held {
        int64_t set = 0;
        at::Tensor gradient;  // of the stream, on the last piece
    };
    Stream forwardChunk(int64_t chunk, int64_t microBatch);
    void forwardOf(const PipelineOperation& operation, const StageBatch& batch, const Hooks& hooks);
    void backwardOf(const PipelineOperation& operation, const StageBatch& batch, const Hooks& hooks, BackwardPart part);
    int64_t tag(int64_t microBatch, int64_t piece, int64_t direction) const;
    bool isLastPiece(int64_t piece) const { return piece + 1 == m_shape.pieces(); }

    ChainWalk& m_walk;
    PipelineShape m_shape;
    int64_t m_stage;
    size_t m_blocksOfChunk;
    StageLinks* m_links = nullptr;
    std::vector<std::vector<int64_t>> m_free;            // sets, of each chunk
    std::map<std::pair<int64_t, int64_t>, Held> m_held;  // by micro-batch and chunk
};

}  // namespace unmask
