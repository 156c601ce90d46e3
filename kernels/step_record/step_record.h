// SPDX-License-Identifier: Apache-2.0
// The figures of a step, kept on the device until the host asks: losses of micro-batches are added up, and at the end
// of a step loss, norm and whether the update was applied go into a ring. One block each; microseconds.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"
#include "kernels/common/update_scalars.h"

namespace unmask::kernels {

struct StepFigures {
    double loss;             // sum of weight * row loss
    double crossEntropySum;  // sum of row losses
    double gradientNorm;     // before clipping
    int64_t applied;         // 1: the weights have changed
    double gradientScale;    // of the loss, for the next step
};

struct StepLossArgs {
    const double* rowLosses;  // (rows)
    const double* weights;    // (rows); a row of weight 0 is unused, whatever its loss says
    double* sums;             // (2), accumulated: sum of weight * loss, sum of loss
    int64_t rows;
};
Status addStepLosses(const StepLossArgs& args, Stream stream);  // in a fixed order
Status addStepLossesReference(const StepLossArgs& args);

struct CloseStepArgs {
    const UpdateScalars* scalars;  // as the norm of the step has left them
    double* sums;                  // (2), set to 0
    StepFigures* ring;             // (entries): entry counter mod entries is written
    int64_t* counter;              // one is added
    int64_t entries;
};
Status closeStep(const CloseStepArgs& args, Stream stream);
Status closeStepReference(const CloseStepArgs& args);

}  // namespace unmask::kernels
