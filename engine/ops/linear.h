// SPDX-License-Identifier: Apache-2.0
// Matrix products of linear layers, through ATen. Weights are stored (out, in), as other frameworks store them.
#pragma once

#include <ATen/core/Tensor.h>

namespace unmask {

// y (N, O) = x (N, I) · weightᵀ + bias. Bias may be undefined. Rows of y may be strided.
void linearForward(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& y);

// gradientX (N, I) = gradientY (N, O) · weight.
void linearBackwardInput(const at::Tensor& gradientY, const at::Tensor& weight, const at::Tensor& gradientX);

// weightGradient (O, I) += gradientYᵀ · x; biasGradient (O) += sum of rows of gradientY, where defined.
// scratch: threads × O at least, needed with a bias.
void linearBackwardWeight(const at::Tensor& gradientY, const at::Tensor& x, const at::Tensor& weightGradient,
                          const at::Tensor& biasGradient, const at::Tensor& scratch);

// The bias part of linearBackwardWeight alone.
void linearBackwardBias(const at::Tensor& gradientY, const at::Tensor& biasGradient, const at::Tensor& scratch);

}  // namespace unmask
