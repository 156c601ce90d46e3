// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/pipeline_schedule.h"

#include <algorithm>

#include "engine/base/error.h"

namespace unmask {

namespace {

// All forward, then all backward. Holds every micro-batch.
StageOperations gpipe(const PipelineShape& shape) {
    StageOperations list;
    for (int64_t i = 0; i < shape.microBatches; ++i)
        list.push_back({PipelineWork::forward, i});
    for (int64_t i = 0; i < shape.microBatches; ++i)
        list.push_back({PipelineWork::backward, i});
    return list;
}

// As many forward as there are stages behind, then one forward for each backward.
StageOperations oneForwardOneBackward(const PipelineShape& shape, int64_t stage) {
    StageOperations list;
    const int64_t warmUp = std::min(shape.microBatches, shape.stages - stage - 1);
    for (int64_t i = 0; i < warmUp; ++i)
        list.push_back({PipelineWork::forward, i});
    for (int64_t i = warmUp; i < shape.microBatches; ++i) {
        list.push_back({PipelineWork::forward, i});
        list.push_back({PipelineWork::backward, i - warmUp});
    }
    for (int64_t i = shape.microBatches - warmUp; i < shape.microBatches; ++i)
        list.push_back({PipelineWork::backward, i});
    return list;
}

// 1F1B whose weight gradients lag behind by as many micro-batches as there are stages before: no stage then holds more
// than the first, and the gaps at the end are filled with what was put off.
StageOperations zeroBubble(const PipelineShape& shape, int64_t stage) {
    StageOperations list;
    const int64_t warmUp = std::min(shape.microBatches, shape.stages - stage - 1);
    int64_t weights = 0;
    const auto weight = [&] { list.push_back({PipelineWork::weightBackward, weights++}); };
    for (int64_t i = 0; i < warmUp; ++i)
        list.push_back({PipelineWork::forward, i});
    for (int64_t i = 0; i < shape.microBatches; ++i) {
        const bool ending = i + warmUp >= shape.microBatches;
        if (!ending)
            list.push_back({PipelineWork::forward, i + warmUp});
        list.push_back({PipelineWork::inputBackward, i});
        if (ending || i + 1 - weights > stage)
            weight();
    }
    while (weights < shape.microBatches)
        weight();
    return list;
}

// The n-th forward of a stage: groups of as many micro-batches as there are stages go through chunk after chunk.
PipelineOperation interleavedForward(const PipelineShape& shape, int64_t n) {
    const int64_t inGroup = n % shape.pieces();
    return {PipelineWork::forward, n / shape.pieces() * shape.stages + inGroup % shape.stages, inGroup / shape.stages};
}

PipelineOperation interleavedBackward(const PipelineShape& shape, int64_t n) {
    PipelineOperation operation = interleavedForward(shape, n);
    operation.work = PipelineWork::backward;
    operation.chunk = shape.chunks - 1 - operation.chunk;
    return operation;
}

StageOperations interleaved(const PipelineShape& shape, int64_t stage) {
    StageOperations list;
    const int64_t all = shape.microBatches * shape.chunks;
    const int64_t warmUp = std::min(all, 2 * (shape.stages - stage - 1) + (shape.chunks - 1) * shape.stages);
    for (int64_t n = 0; n < warmUp; ++n)
        list.push_back(interleavedForward(shape, n));
    for (int64_t n = warmUp; n < all; ++n) {
        list.push_back(interleavedForward(shape, n));
        list.push_back(interleavedBackward(shape, n - warmUp));
    }
    for (int64_t n = all - warmUp; n < all; ++n)
        list.push_back(interleavedBackward(shape, n));
    return list;
}

void check(const PipelineShape& shape) {
    if (shape.stages < 1 || shape.microBatches < 1 || shape.chunks < 1)
        throw Error{ErrorCode::badInput, "[planner] a pipeline needs at least one stage, micro-batch and chunk"};
    const bool cutUp = shape.schedule == PipelineSchedule::interleaved;
    if (!cutUp && shape.chunks > 1)
        throw Error{ErrorCode::badInput, "[planner] only the interleaved schedule has more than one chunk a stage"};
    if (cutUp && shape.microBatches % shape.stages != 0)
        throw Error{ErrorCode::badInput, "[planner] interleaved stages (" + std::to_string(shape.stages) +
                                             ") must divide the micro-batches (" + std::to_string(shape.microBatches) +
                                             ")"};
}

StageOperations operationsOf(const PipelineShape& shape, int64_t stage) {
    switch (shape.schedule) {
        case PipelineSchedule::gpipe:
            return gpipe(shape);
        case PipelineSchedule::oneForwardOneBackward:
            return oneForwardOneBackward(shape, stage);
        case PipelineSchedule::interleaved:
            return interleaved(shape, stage);
        case PipelineSchedule::zeroBubble:
            return zeroBubble(shape, stage);
    }
    return {};
}

}  // namespace

std::string pipelineWord(PipelineWork work) {
    switch (work) {
        case PipelineWork::forward:
            return "forward";
        case PipelineWork::backward:
            return "backward";
        case PipelineWork::inputBackward:
            return "input_backward";
        case PipelineWork::weightBackward:
            return "weight_backward";
    }
    return {};
}

PipelineShape pipelineShape(const ParallelConfig& parallel, int64_t microBatches) {
    const bool cutUp = parallel.schedule == PipelineSchedule::interleaved;
    return {parallel.schedule, parallel.pipelineStages, microBatches, cutUp ? parallel.virtualStages : 1};
}

std::vector<StageOperations> pipelineOperations(const PipelineShape& shape) {
    check(shape);
    std::vector<StageOperations> lists;
    for (int64_t stage = 0; stage < shape.stages; ++stage)
        lists.push_back(operationsOf(shape, stage));
    return lists;
}

std::vector<int64_t> layersOfPiece(int64_t layers, const PipelineShape& shape, int64_t piece) {
    const int64_t share = layers / shape.pieces();
    std::vector<int64_t> held;
    for (int64_t layer = piece * share; layer < (piece + 1) * share; ++layer)
        held.push_back(layer);
    return held;
}

int64_t mostInFlight(const StageOperations& operations) {
    int64_t held = 0;
    int64_t most = 0;
    for (const PipelineOperation& operation : operations) {
        if (operation.work == PipelineWork::forward)
            most = std::max(most, ++held);
        else if (operation.work != PipelineWork::inputBackward)
            --held;
    }
    return most;
}

}  // namespace unmask
