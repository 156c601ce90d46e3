// SPDX-License-Identifier: Apache-2.0
// In which order the stages of a pipeline work on their micro-batches. The engine carries out exactly these lists and
// the planner times them, so a figure and the run it speaks of cannot part. A stage may hold several pieces of the
// model (chunks); data passes through the pieces of all stages, stage by stage, then chunk by chunk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/protocol/parallel_config.h"

namespace unmask {

enum class PipelineWork {
    forward,
    backward,        // both parts at once
    inputBackward,   // gradient of the input, which the stage before waits for
    weightBackward,  // gradients of the weights, which nobody waits for before the update
};
std::string pipelineWord(PipelineWork work);  // "forward", "input_backward", …

struct PipelineOperation {
    PipelineWork work = PipelineWork::forward;
    int64_t microBatch = 0;
    int64_t chunk = 0;  // of the pieces this stage holds
    bool operator==(const PipelineOperation&) const = default;
};
using StageOperations = std::vector<PipelineOperation>;  // in the order in which the stage carries them out

struct PipelineShape {
    PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
    int64_t stages = 1;
    int64_t microBatches = 1;
    int64_t chunks = 1;  // a stage; more than one in the interleaved schedule alone

    int64_t pieces() const { return stages * chunks; }
    // Place of a stage's chunk on the way of the data, 0 … pieces() − 1.
    int64_t pieceOf(int64_t stage, int64_t chunk) const { return chunk * stages + stage; }
    int64_t stageOf(int64_t piece) const { return piece % stages; }
    int64_t chunkOf(int64_t piece) const { return piece / stages; }
};
PipelineShape pipelineShape(const ParallelConfig& parallel, int64_t microBatches);

// One list a stage. GPipe (Huang et al. 2019), 1F1B (Narayanan et al. 2019), interleaved 1F1B (Narayanan et al. 2021),
// ZB-H1 (Qi et al. 2023). Error(badInput) for sizes below 1, chunks where the schedule has none, and interleaved
// micro-batches that are no multiple of the stages.
std::vector<StageOperations> pipelineOperations(const PipelineShape& shape);

// Blocks of a piece when `layers` are dealt evenly; pieces() must divide them.
std::vector<int64_t> layersOfPiece(int64_t layers, const PipelineShape& shape, int64_t piece);

// Most activations of a chunk that a stage holds at once: from forward to the end of the backward work that reads them.
int64_t mostInFlight(const StageOperations& operations);

}  // namespace unmask
