// SPDX-License-Identifier: Apache-2.0
// AdamW over one slab in one launch, and the global gradient norm that never comes to the host: norm, clip factor and
// learning rate stay in device memory. A non-finite norm holds the update back.
// Budget: 28 bytes a parameter with fp32 masters and moments, bf16 weights and gradients.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

// Lives in device memory; written by the host once a step (learning rate, update) and by the norm (the rest).
struct UpdateScalars {
    float learningRate;
    float biasCorrection1;  // 1 - beta1^t
    float biasCorrection2;
    float clipFactor;  // min(1, clip / norm)
    double norm;
    int finite;  // 0 holds the update back
};

struct AdamWArgs {
    void* weights;          // (count), read where master is null, written always
    float* master;          // (count), or null: weights are float and their own master
    const void* gradients;  // (count)
    float* m;               // (count)
    float* v;               // (count)
    const UpdateScalars* scalars;
    int64_t count;           // multiple of 8
    int64_t matrixElements;  // leading part that weight decay acts on
    float beta1, beta2, epsilon, weightDecay;
    DType dtype;          // of weights
    DType gradientDtype;  // of gradients
};
Status adamw(const AdamWArgs& args, Stream stream);
Status adamwReference(const AdamWArgs& args);

struct NormArgs {
    const void* gradients;  // (count)
    int64_t count;          // multiple of 8
    double* partials;       // normPartials() values for this slab
    DType dtype;
};
int64_t normPartials();
Status gradientSquares(const NormArgs& args, Stream stream);
double gradientSquaresReference(const NormArgs& args);
// Adds all partials of all slabs in order and writes norm, clip factor and finiteness. clip <= 0 switches clipping off.
Status finishNorm(const double* partials, int64_t count, float clip, UpdateScalars* scalars, Stream stream);

}  // namespace unmask::kernels
