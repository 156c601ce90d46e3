// SPDX-License-Identifier: Apache-2.0
// The update of a step on a GPU without a wait of the host: global norm, clip factor and AdamW read what changes from
// step to step (learning rate, bias corrections) from device memory, and the figures of the step go into a ring in
// device memory that the host empties when it likes. A norm or loss that is not finite holds the update back. All calls
// are queued on the current stream and may be captured into a graph. There is no CPU form: see adamw.h.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/ops/slab.h"

namespace unmask {

// What the host sends along with a step; lies in the first bytes of DeviceUpdateArgs::scalars.
struct StepScalars {
    float learningRate = 0;
    float biasCorrection1 = 1;  // 1 − beta1^t
    float biasCorrection2 = 1;
    int32_t dynamicScale = 0;  // 1: the loss is scaled so that fp16 gradients neither vanish nor overflow
    int64_t update = 0;        // t; read where weights or moments are rounded stochastically
};

// What a step leaves behind, one entry of the ring.
struct StepRecord {
    double loss = 0;             // Σ weight · ℓ
    double crossEntropySum = 0;  // Σ ℓ
    double gradientNorm = 0;     // before clipping
    int64_t applied = 0;         // 1: the weights have changed
    double gradientScale = 1;    // of the loss, for the next step
};

struct DeviceUpdateArgs {
    std::vector<at::Tensor> m, v;  // one a slab; float, or bfloat16 rounded stochastically
    at::Tensor scalars;            // (deviceScalarBytes()) uint8: StepScalars, then what the norm leaves
    at::Tensor partials;           // (slabs · deviceNormPartials()) float64
    double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8, weightDecay = 0, clip = 0;  // clip ≤ 0 switches clipping off
    at::Tensor sums;    // (2) float64: loss and cross-entropy sum of the step; a loss that is not finite holds back too
    uint64_t seed = 0;  // of stochastic rounding
};
// Where a slab of bfloat16 values has no masters, the values are rounded stochastically and are their own masters; all
// slabs must agree in this and in their types.
void deviceUpdate(const std::vector<Slab>& slabs, const DeviceUpdateArgs& args);
// Sets all gradients to 0, in one launch on a GPU. On a CPU too.
void zeroGradients(const std::vector<Slab>& slabs);
int64_t deviceScalarBytes();
// The factor of the loss among the scalars, a view (1) float. Whoever makes the scalars sets it, to 1 or to where a
// dynamic scale begins.
at::Tensor gradientScaleOf(const at::Tensor& scalars);
int64_t deviceNormPartials();

// What the micro-batches of a step on a GPU share.
struct DeviceStep {
    at::Tensor sums;           // (2) float64, accumulated: loss and cross-entropy sum
    at::Tensor gradientScale;  // (1) float, or undefined: gradients are made larger by it
};

struct StepRecordArgs {
    at::Tensor rowLosses;  // (R) float64
    at::Tensor weights;    // (R) float64
    at::Tensor sums;       // (2) float64, accumulated: Σ weight · ℓ, Σ ℓ over rows of weight > 0
};
// Adds a micro-batch's losses to the sums of the step.
void recordStep(const StepRecordArgs& args);
// Writes the step's figures to entry `*counter % entries` of the ring (StepRecords as uint8), adds one to the counter
// (1, int64) and sets the sums to 0. After deviceUpdate.
void closeStep(const at::Tensor& scalars, const at::Tensor& sums, const at::Tensor& ring, const at::Tensor& counter);

}  // namespace unmask
