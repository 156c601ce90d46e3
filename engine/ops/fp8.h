// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit values on a GPU: tensors are quantised with one scale each, which lies in device memory and follows
// the largest value of the steps before. There is no CPU form.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/protocol/model_config.h"

namespace unmask {

// Three bits of mantissa, or two and a wider range.
enum class Fp8Format { e4m3, e5m2 };

// Entries of a table of scales, (tensors, 4) float: factor back to values, range, largest seen, unused.
constexpr int64_t kFp8ScaleFloats = 4;

struct Fp8Copies {
    at::Tensor row;         // out (rows, columns) uint8, or undefined
    at::Tensor transposed;  // out (columns, rows) uint8, or undefined
    at::Tensor scale;       // (4) float
    Fp8Format format = Fp8Format::e4m3;
};
enum class Fp8Range { measured, known };
// x (rows, columns), both multiples of 16. `measured` sets the range by this very tensor, in a pass of its own; `known`
// goes by what was seen before the last rollFp8Scales.
void quantiseFp8(const at::Tensor& x, const Fp8Copies& out, Fp8Range range);

// The activation's product, or the gradient of its inner values (activation.h), straight to codes (e4m3, range known):
// what the activation and quantiseFp8 give one after the other, without the 16-bit values in between. inner stays.
void quantiseProductFp8(ActivationKind kind, const at::Tensor& inner, const Fp8Copies& out);
void quantiseInnerGradientFp8(ActivationKind kind, const at::Tensor& gradientProduct, const at::Tensor& inner,
                              const Fp8Copies& out);

// scales (tensors, 4): ranges follow what was seen since the last call.
void rollFp8Scales(const at::Tensor& scales);

struct Fp8Factor {
    at::Tensor codes;  // dense uint8, rows of multiples of 16
    at::Tensor scale;  // (4) float
    Fp8Format format = Fp8Format::e4m3;
};
struct Fp8Product {
    Fp8Factor a;      // (M, K)
    Fp8Factor b;      // (N, K)
    at::Tensor c;     // (M, N) bfloat16 or float
    at::Tensor bias;  // (N) or undefined
    bool accumulate = false;
    // Sums of the tensor cores keep 14 bits between float additions; faster, and too rough for gradients.
    bool fastAccumulation = false;
};
// c = a · bᵀ + bias, or c += a · bᵀ.
void fp8Product(const Fp8Product& product);

}  // namespace unmask
