// SPDX-License-Identifier: Apache-2.0
// What changes from update to update. It stays on the device, so that a captured step need not change.
#pragma once

#include <cstdint>

namespace unmask::kernels {

// Lies in device memory. The first part is written by the host once a step, the second by gradientNorm.
struct UpdateScalars {
    float learningRate;
    float biasCorrection1;  // 1 - beta1^t
    float biasCorrection2;
    float gradientScale;  // of the loss: gradients in memory are larger by it
    int64_t update;       // t, for stochastic rounding

    double norm;           // without the scale, before clipping
    float gradientFactor;  // min(1, clip / norm) / gradientScale
    int32_t finite;        // 0 holds the update back
};

}  // namespace unmask::kernels
