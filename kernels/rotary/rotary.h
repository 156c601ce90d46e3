// SPDX-License-Identifier: Apache-2.0
// Rotary positions in place, rotate-half form, with optional RMSNorm of each head before (QK-norm). Rows are strided,
// so queries and keys are turned inside the fused QKV output. The backward pass turns the other way. Budget in bf16: 4
// bytes an element, 6 with QK-norm.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

struct RotaryArgs {
    void* x;                   // in and out (rows, heads * D), row stride `stride` elements
    const int32_t* positions;  // (rows)
    const float* table;        // (length, D): D/2 cosines, then D/2 sines
    int64_t rows;
    int64_t stride;  // multiple of 8
    int heads;
    int D;         // multiple of 16, at most 256
    bool inverse;  // turn back: the backward pass
    DType dtype;
};
Status rotary(const RotaryArgs& args, Stream stream);
Status rotaryReference(const RotaryArgs& args);

struct HeadNormArgs {
    void* x;                   // in and out (rows, heads * D), row stride `stride`
    const void* weight;        // (D)
    const int32_t* positions;  // (rows) and
    const float* table;        // (length, D), as for rotary: turned after the norm; null: not turned
    void* raw;                 // out (rows, heads * D): x before the norm
    float* rstd;               // out (rows, heads)
    int64_t rows, stride;
    int heads, D;
    float epsilon;
    DType dtype;
};
Status headNormForward(const HeadNormArgs& args, Stream stream);
Status headNormForwardReference(const HeadNormArgs& args);

struct HeadNormBackwardArgs {
    void* gradient;            // in and out (rows, heads * D), row stride `stride`
    const void* weight;        // (D)
    const int32_t* positions;  // (rows) and
    const float* table;        // as in the forward pass: turned back before the norm
    const void* raw;           // (rows, heads * D)
    const float* rstd;         // (rows, heads)
    void* weightGradient;      // (D), accumulated
    float* scratch;            // headNormScratch(D) floats
    int64_t rows, stride;
    int heads, D;
    DType dtype;          // of gradient, weight and raw
    DType gradientDtype;  // of weightGradient
};
Status headNormBackward(const HeadNormBackwardArgs& args, Stream stream);
Status headNormBackwardReference(const HeadNormBackwardArgs& args);
int64_t headNormScratch(int D);

}  // namespace unmask::kernels
