// SPDX-License-Identifier: Apache-2.0
// sum = x + delta, y = norm(sum) * weight (+ bias), one row of C values a warp. RMSNorm, or LayerNorm where `mean` is
// given. Statistics run in float whatever the storage type; rstd (and mean) are kept for the backward pass.
// Budget: 8 C bytes a row in bf16, forward and backward alike; 10 C where the backward pass
// writes y once more, so that it need not be kept.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

struct ResidualNormArgs {
    const void* x;       // (rows, C)
    const void* delta;   // (rows, C), or null: nothing is added
    const void* weight;  // (C)
    const void* bias;    // (C), LayerNorm only, else null
    void* sum;           // (rows, C), may be x; null when delta is null and nobody needs it
    void* y;             // (rows, C)
    float* rstd;         // (rows); null when only sampling
    float* mean;         // (rows), LayerNorm; null means RMSNorm
    int64_t rows;
    int C;  // multiple of 8, at most 8192
    float epsilon;
    DType dtype;  // of x, delta, weight, bias, sum, y
};
Status residualNormForward(const ResidualNormArgs& args, Stream stream);
Status residualNormForwardReference(const ResidualNormArgs& args);

struct ResidualNormBackwardArgs {
    const void* gradientY;  // (rows, C)
    const void* sum;        // (rows, C)
    const void* weight;     // (C)
    const float* rstd;      // (rows)
    const float* mean;      // (rows), LayerNorm; null means RMSNorm
    void* gradient;         // (rows, C), accumulated: that of the sum
    void* weightGradient;   // (C), accumulated
    void* biasGradient;     // (C), accumulated; LayerNorm only, else null
    float* scratch;         // residualNormScratch(C) floats
    void* y;                // (rows, C), may be gradientY: out, the forward's y once more; or null
    const void* bias;       // (C), for y alone, as in the forward pass
    int64_t rows;
    int C;
    DType dtype;          // of gradientY, sum, weight, gradient, y, bias
    DType gradientDtype;  // of weightGradient and biasGradient
};
Status residualNormBackward(const ResidualNormBackwardArgs& args, Stream stream);
Status residualNormBackwardReference(const ResidualNormBackwardArgs& args);
int64_t residualNormScratch(int C);

}  // namespace unmask::kernels
