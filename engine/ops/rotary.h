// SPDX-License-Identifier: Apache-2.0
// Rotary positions, rotate-half form (Su et al. 2021), with optional RMSNorm of each head before (QK-norm). In place.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace unmask {

// Fills table (length, D): D/2 cosines, then D/2 sines, of position · base^(−2i/D).
void rotaryTable(const at::Tensor& table, double base);

struct RotaryArgs {
    at::Tensor x;          // in and out (N, heads · D); rows may be strided
    at::Tensor positions;  // (N) int32
    at::Tensor table;      // (length, D)
    int64_t headWidth = 0;
    // QK-norm; undefined without it.
    at::Tensor normWeight;  // (D)
    double epsilon = 1e-5;
    at::Tensor raw;   // out (N, heads · D), x before the norm
    at::Tensor rstd;  // out (N, heads)
};
void rotaryForward(const RotaryArgs& args);

struct RotaryBackwardArgs {
    at::Tensor gradient;   // in and out (N, heads · D); rows may be strided
    at::Tensor positions;  // (N) int32
    at::Tensor table;      // (length, D)
    int64_t headWidth = 0;
    at::Tensor normWeight, raw, rstd;  // QK-norm; undefined without it
    at::Tensor normWeightGradient;     // accumulated (D)
    at::Tensor scratch;                // threads × D at least
};
void rotaryBackward(const RotaryBackwardArgs& args);

}  // namespace unmask
