// SPDX-License-Identifier: Apache-2.0
// Values to 8 bits with one scale a tensor, as they lie and transposed, in one pass: products in fp8 want the summed
// dimension contiguous in both factors, so what is read in the forward and in the backward pass needs both. The scale
// comes from the largest value seen before (delayed), or from a pass of its own (fp8Measure). Budget: 4 bytes a value
// from bf16, 2 of them read.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

enum class Fp8Format { e4m3, e5m2 };

// In device memory, one a quantised tensor.
struct Fp8Scale {
    float dequantise;  // value = code · dequantise; written by fp8Quantise
    float amax;        // the range of the codes is kFp8Margin times this
    float seen;        // largest finite |value| met since the last fp8Roll
    float unused;      // entries stay aligned to 16 bytes
};
// Values grow from step to step; up to so many times the largest they are not cut off.
constexpr float kFp8Margin = 2;
// A spike is forgotten by this factor a step.
constexpr float kFp8Memory = 0.9f;

struct Fp8QuantiseArgs {
    const void* x;        // (rows, columns), row stride `stride`
    uint8_t* row;         // out (rows, columns), or null
    uint8_t* transposed;  // out (columns, rows), or null
    Fp8Scale* scale;
    int64_t rows;    // multiple of 16
    int64_t stride;  // multiple of 8
    int columns;     // multiple of 16
    Fp8Format format;
    DType dtype;  // of x
};
// What is beyond the range becomes its end; what is not finite becomes NaN, so that it is noticed.
Status fp8Quantise(const Fp8QuantiseArgs& args, Stream stream);
Status fp8QuantiseReference(const Fp8QuantiseArgs& args);

// Sets `amax` to the largest finite |value| of x; row and transposed are not read.
Status fp8Measure(const Fp8QuantiseArgs& args, Stream stream);
Status fp8MeasureReference(const Fp8QuantiseArgs& args);

// Between steps: amax becomes the larger of what was seen and its own memory; tensors that were not met keep theirs.
Status fp8Roll(Fp8Scale* scales, int count, Stream stream);
Status fp8RollReference(Fp8Scale* scales, int count);

// For references and tests.
double fp8Value(uint8_t code, Fp8Format format);
uint8_t fp8Code(double value, Fp8Format format);  // nearest, ties to even, saturating

}  // namespace unmask::kernels
