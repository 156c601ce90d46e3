// SPDX-License-Identifier: Apache-2.0
// Residual addition and normalisation of each row in one pass: sum = x + delta, y = norm(sum) · weight (+ bias).
// RMSNorm where `mean` is undefined, else LayerNorm. (Zhang and Sennrich 2019; Ba, Kiros and Hinton 2016.)
#pragma once

#include <ATen/core/Tensor.h>

namespace unmask {

struct NormArgs {
    at::Tensor x;       // (N, C)
    at::Tensor delta;   // (N, C), or undefined: nothing is added
    at::Tensor weight;  // (C)
    at::Tensor bias;    // (C), LayerNorm only
    double epsilon = 1e-5;
    at::Tensor sum;   // out (N, C); may be x itself
    at::Tensor y;     // out (N, C)
    at::Tensor rstd;  // out (N)
    at::Tensor mean;  // out (N), LayerNorm only
};
void normForward(const NormArgs& args);

struct NormBackwardArgs {
    at::Tensor gradientY;       // (N, C)
    at::Tensor sum;             // (N, C)
    at::Tensor weight;          // (C)
    at::Tensor rstd;            // (N)
    at::Tensor mean;            // (N), LayerNorm only
    at::Tensor gradient;        // accumulated (N, C): that of the sum
    at::Tensor weightGradient;  // accumulated (C)
    at::Tensor biasGradient;    // accumulated (C), LayerNorm only
    at::Tensor scratch;         // threads × 2C at least
    at::Tensor y;               // out (N, C), or undefined: that of the forward pass once more; may be gradientY itself
    at::Tensor bias;            // (C), LayerNorm only and for y alone
};
void normBackward(const NormBackwardArgs& args);

}  // namespace unmask
