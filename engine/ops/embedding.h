// SPDX-License-Identifier: Apache-2.0
// Embedding lookup and the gathering and scattering of rows.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace unmask {

// out (N, C) = weight[tokens]; tokens int32 or int64. An id outside the vocabulary is badInput.
void embeddingForward(const at::Tensor& tokens, const at::Tensor& weight, const at::Tensor& out);
// weightGradient[tokens] += gradient, in order of rows whatever the threads, so it is reproducible.
void embeddingBackward(const at::Tensor& tokens, const at::Tensor& gradient, const at::Tensor& weightGradient);

// The same of a vocabulary that devices share: weight holds the rows of ids from `first` on, out of `vocabulary` in
// all. Rows of other ids become 0, and their gradients go nowhere. CPU only.
struct VocabularyPart {
    int64_t first = 0;
    int64_t vocabulary = 0;
};
void embeddingForward(const at::Tensor& tokens, const at::Tensor& weight, const VocabularyPart& part,
                      const at::Tensor& out);
void embeddingBackward(const at::Tensor& tokens, const at::Tensor& gradient, const VocabularyPart& part,
                       const at::Tensor& weightGradient);

// out (R, C) = x[rows]; rows int64.
void gatherRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out);
// out[rows] += x (R, C); rows must be distinct.
void scatterAddRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out);
// Checks that `rows` (R) int64 ascends within 0 … limit − 1.
void checkRows(const at::Tensor& rows, int64_t limit);

}  // namespace unmask
