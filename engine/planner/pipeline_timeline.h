// SPDX-License-Identifier: Apache-2.0
// When each operation of a pipeline begins and ends, with given durations: idle time, and whether the lists can be
// carried out at all. An operation begins when its stage is free and its input has arrived; sending takes nobody's
// time.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/result.h"
#include "engine/planner/pipeline_schedule.h"

namespace unmask {

// Seconds of one micro-batch in one piece of the model.
struct PieceSeconds {
    double forward = 1;
    double inputBackward = 1;
    double weightBackward = 1;
};

struct PipelineSeconds {
    std::vector<PieceSeconds> pieces;  // PipelineShape::pieces() of them
    double transfer = 0;               // of a hidden state or its gradient between stages
};

struct TimedOperation {
    PipelineOperation operation;
    double begin = 0;
    double end = 0;
};

struct PipelineTimeline {
    std::vector<std::vector<TimedOperation>> stages;
    double seconds = 0;  // until the last operation has ended

    double busySeconds(int64_t stage) const;
    double idleSeconds(int64_t stage) const { return seconds - busySeconds(stage); }
    double bubbleSeconds() const;  // idle time of the stage that works longest
};

// Error(internal) names what is missing, double or can never begin.
Result<PipelineTimeline> pipelineTimeline(const PipelineShape& shape, const std::vector<StageOperations>& lists,
                                          const PipelineSeconds& seconds);

// Idle time of equal stages without transfers, from the literature: (stages − 1) · x, where x is forward + backward of
// a stage, divided by the chunks where it is interleaved, and forward + input − weight gradient for zero bubble. The
// latter holds from as many micro-batches as stages on. `stage` is a whole stage, all its chunks.
double bubbleFormula(const PipelineShape& shape, const PieceSeconds& stage);

}  // namespace unmask
