// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/stage_walk.h"

#include <ATen/ops/add.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/runtime/chain_runner.h"

namespace unmask {

using B = BlockBuffer;
using W = WorkBuffer;

namespace {

constexpr int64_t kForward = 0;
constexpr int64_t kBackward = 1;

StageOperations ofChunk(const StageOperations& all, int64_t chunk) {
    StageOperations list;
    std::copy_if(all.begin(), all.end(), std::back_inserter(list),
                 [&](const PipelineOperation& operation) { return operation.chunk == chunk; });
    return list;
}

// The interleaved schedule goes by groups of as many micro-batches as there are stages.
int64_t scheduledBatches(const PipelineShape& shape, int64_t batches) {
    if (shape.schedule != PipelineSchedule::interleaved)
        return batches;
    return (batches + shape.stages - 1) / shape.stages * shape.stages;
}

}  // namespace

int64_t stageSets(const PipelineShape& shape, int64_t stage) {
    PipelineShape padded = shape;
    padded.microBatches = scheduledBatches(shape, shape.microBatches);
    const StageOperations all = pipelineOperations(padded)[static_cast<size_t>(stage)];
    int64_t sets = 1;
    for (int64_t chunk = 0; chunk < shape.chunks; ++chunk)
        sets = std::max(sets, mostInFlight(ofChunk(all, chunk)));
    return sets;
}

StageWalk::StageWalk(ChainWalk& walk, const PipelineShape& shape, int64_t stage)
    : m_walk(walk),
      m_shape(shape),
      m_stage(stage),
      m_blocksOfChunk(walk.model.blocks().size() / static_cast<size_t>(shape.chunks)),
      m_free(static_cast<size_t>(shape.chunks)) {
    for (std::vector<int64_t>& free : m_free)
        for (int64_t set = stageSets(shape, stage); set-- > 0;)
            free.push_back(set);
}

int64_t StageWalk::tag(int64_t microBatch, int64_t piece, int64_t direction) const {
    return (microBatch * m_shape.pieces() + piece) * 2 + direction;
}

// Through the chunk's blocks, and on to the next piece.
Stream StageWalk::forwardChunk(int64_t chunk, int64_t microBatch) {
    const int64_t piece = m_shape.pieceOf(m_stage, chunk);
    const size_t first = static_cast<size_t>(chunk) * m_blocksOfChunk;
    Stream stream{m_walk.blocks[first][B::input], {}};
    if (piece == 0)
        m_walk.model.embedding().forward(m_walk.tokens, stream.x, m_walk.context.sharers);
    else
        m_links->receive(stream.x, m_shape.stageOf(piece - 1), tag(microBatch, piece, kForward));
    stream = m_walk.forwardBlocks(stream, first, first + m_blocksOfChunk);
    if (!isLastPiece(piece))
        m_links->send(at::add(stream.x, stream.delta), m_shape.stageOf(piece + 1),
                      tag(microBatch, piece + 1, kForward));
    return stream;
}

Stream StageWalk::forward() {
    Stream stream;
    for (int64_t chunk = 0; chunk < m_shape.chunks; ++chunk)
        stream = forwardChunk(chunk, 0);
    m_links->finishSends();
    return isLast() ? stream : Stream{};
}

void StageWalk::forwardOf(const PipelineOperation& operation, const StageBatch& batch, const Hooks& hooks) {
    std::vector<int64_t>& free = m_free[static_cast<size_t>(operation.chunk)];
    if (free.empty())
        throw Error{ErrorCode::internal, "[pipeline] more micro-batches are under way than were planned"};
    Held held{free.back(), {}};
    free.pop_back();
    hooks.prepare(batch, held.set);
    const Stream stream = forwardChunk(operation.chunk, operation.microBatch);
    if (isLastPiece(m_shape.pieceOf(m_stage, operation.chunk)))
        held.gradient = hooks.head(static_cast<size_t>(operation.microBatch), stream).clone();
    m_held[{operation.microBatch, operation.chunk}] = std::move(held);
}

void StageWalk::backwardOf(const PipelineOperation& operation, const StageBatch& batch, const Hooks& hooks,
                           BackwardPart part) {
    const auto found = m_held.find({operation.microBatch, operation.chunk});
    Held& held = found->second;
    const int64_t piece = m_shape.pieceOf(m_stage, operation.chunk);
    const size_t first = static_cast<size_t>(operation.chunk) * m_blocksOfChunk;
    hooks.prepare(batch, held.set);
    at::Tensor gradient = held.gradient;
    if (part != BackwardPart::weight && !gradient.defined()) {
        gradient = m_walk.context.work[W::gradient];
        m_links->receive(gradient, m_shape.stageOf(piece + 1), tag(operation.microBatch, piece, kBackward));
    }
    gradient = m_walk.backwardBlocks(gradient, first, first + m_blocksOfChunk, part, false);
    if (part != BackwardPart::weight) {
        if (piece == 0)
            m_walk.model.embedding().backward(m_walk.tokens, gradient, m_walk.context.sharers);
        else
            m_links->send(gradient, m_shape.stageOf(piece - 1), tag(operation.microBatch, piece - 1, kBackward));
    }
    if (part == BackwardPart::input)
        return;
    m_free[static_cast<size_t>(operation.chunk)].push_back(held.set);
    m_held.erase(found);
}

void StageWalk::run(const std::vector<StageBatch>& batches, const Hooks& hooks) {
    PipelineShape shape = m_shape;
    shape.microBatches = scheduledBatches(m_shape, static_cast<int64_t>(batches.size()));
    const std::vector<StageOperations> operations = pipelineOperations(shape);
    for (const PipelineOperation& operation : operations[static_cast<size_t>(m_stage)]) {
        const auto number = static_cast<size_t>(operation.microBatch);
        if (number >= batches.size() || !batches[number].scores())
            continue;
        switch (operation.work) {
            case PipelineWork::forward:
                forwardOf(operation, batches[number], hooks);
                break;
            case PipelineWork::backward:
                backwardOf(operation, batches[number], hooks, BackwardPart::both);
                break;
            case PipelineWork::inputBackward:
                backwardOf(operation, batches[number], hooks, BackwardPart::input);
                break;
            case PipelineWork::weightBackward:
                backwardOf(operation, batches[number], hooks, BackwardPart::weight);
                break;
        }
    }
    m_links->finishSends();
}

}  // namespace unmask
