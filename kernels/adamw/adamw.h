// SPDX-License-Identifier: Apache-2.0
// AdamW over all slabs of a model in one launch, and the global gradient norm that never comes to the host: norm, clip
// factor and learning rate stay in device memory. A norm or loss that is not finite holds the update back.
// Budget: 28 bytes a parameter with fp32 masters and moments, bf16 weights and gradients; 14 with bf16 weights and
// moments alone, which are then rounded stochastically, since a small update would always be lost to the nearest bf16.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"
#include "kernels/common/update_scalars.h"

namespace unmask::kernels {

struct AdamWSlab {
    void* weights;           // (count), read where master is null, written always
    float* master;           // (count), or null: weights are their own master
    const void* gradients;   // (count)
    void* m;                 // (count)
    void* v;                 // (count)
    int64_t count;           // multiple of 8
    int64_t matrixElements;  // leading part that weight decay acts on
};

struct AdamWArgs {
    const AdamWSlab* slabs;  // host memory, (slabCount); all with a master or all without
    int slabCount;
    const UpdateScalars* scalars;
    float beta1, beta2, epsilon, weightDecay;
    DType dtype;          // of weights; float32 weights have no master
    DType gradientDtype;  // of gradients
    DType momentDtype;    // of m and v; bfloat16 is rounded stochastically
    uint64_t seed;        // with the tag: of the rounding
    uint32_t tag;
};
Status adamw(const AdamWArgs& args, Stream stream);
Status adamwReference(const AdamWArgs& args);

struct NormSlab {
    const void* gradients;  // (count)
    int64_t count;          // multiple of 8
};
struct NormArgs {
    const NormSlab* slabs;  // host memory, (slabCount)
    int slabCount;
    double* partials;    // normPartials(slabCount) values
    const double* loss;  // of the step, or null; one that is not finite holds back too
    float clip;          // <= 0 switches clipping off
    UpdateScalars* scalars;
    DType dtype;
};
int64_t normPartials(int slabCount);
// Squares of all gradients, summed in a fixed order, then norm, gradient factor and finiteness into the scalars.
Status gradientNorm(const NormArgs& args, Stream stream);
Status gradientNormReference(const NormArgs& args);

}  // namespace unmask::kernels
