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
    int32_t dynamicScale;  // 1: gradientScale follows the gradients
    int64_t update;        // t, for stochastic rounding

    double norm;           // without the scale, before clipping
    float gradientFactor;  // min(1, clip / norm) / gradientScale
    int32_t finite;        // 0 holds the update back

    // Of the loss: gradients in memory are larger by it. Set once; where dynamic, gradientNorm halves it when they
    // overflow and doubles it after kGoodUpdates without an overflow (Micikevicius et al. 2018).
    float gradientScale;
    int32_t goodUpdates;
};

constexpr int32_t kGoodUpdates = 2000;
constexpr float kLargestGradientScale = 16777216;

}  // namespace unmask::kernels
