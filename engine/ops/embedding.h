// SPDX-License-Identifier: Apache-2.0
// Embedding lookup and the gathering and scattering of rows.
#pragma once

#include <ATen/core/Tensor.h>

namespace unmask {

// out (N, C) = weight[tokens]; tokens int32 or int64. An id outside the vocabulary is badInput.
void embeddingForward(const at::Tensor& tokens, const at::Tensor& weight, const at::Tensor& out);
// weightGradient[tokens] += gradient, in order of rows whatever the threads, so it is reproducible.
void embeddingBackward(const at::Tensor& tokens, const at::Tensor& gradient, const at::Tensor& weightGradient);

// out (R, C) = x[rows]; rows int64.
void gatherRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out);
// out[rows] += x (R, C); rows must be distinct.
void scatterAddRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out);
// Checks that `rows` (R) int64 ascends within 0 … limit − 1.
void checkRows(const at::Tensor& rows, int64_t limit);

}  // namespace unmask
