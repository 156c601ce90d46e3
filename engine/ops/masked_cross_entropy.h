// SPDX-License-Identifier: Apache-2.0
// From hidden states at scored rows to losses and gradients, chunk by chunk, so that logits never exist for more rows
// than the caller's chunk holds. Sums run in the storage type per row and in double over rows. Devices may share the
// vocabulary: each has its rows of the weight, and they agree on the largest logit, the sum and the target's logit of
// each row, so that no device ever has all logits of one.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/ops/tensor_group.h"

namespace unmask {

// Ids that never get probability: the mask, and every row of the head from `used` on. Nothing is excluded by default.
struct VocabularyLimit {
    int64_t used = -1;    // rows of the vocabulary that stand for a token; -1 means all
    int64_t maskId = -1;  // -1 means none
};

struct LossOptions {
    VocabularyLimit vocabulary;
    double zLoss = 0;          // weight of (log Σ exp)² in the gradient; losses that are reported are without it
    at::Tensor gradientScale;  // (1) float on the GPU: a factor of all gradients; undefined means 1
};

struct MaskedCrossEntropyArgs {
    at::Tensor hidden;          // (R, C)
    at::Tensor weight;          // (V, C) of the head; of a shared vocabulary this device's rows
    at::Tensor targets;         // (R) int64
    at::Tensor weights;         // (R) float64, factor of each row's loss
    at::Tensor logits;          // scratch (chunk, rows of weight)
    at::Tensor losses;          // out (R) float64
    at::Tensor gradient;        // out (R, C), of hidden; undefined for losses alone
    at::Tensor weightGradient;  // accumulated (V, C); undefined for losses alone
    LossOptions options;
    TensorGroup* group = nullptr;  // that shares the vocabulary; CPU only
};
// Writes ℓ of each row, and where gradients are asked for, those of Σ weights · (ℓ + zLoss · (log Σ exp)²).
void maskedCrossEntropy(const MaskedCrossEntropyArgs& args);

// (R, V) logits with excluded ids at −inf; all of them on every device that shares the vocabulary.
void headLogits(const at::Tensor& hidden, const at::Tensor& weight, const VocabularyLimit& vocabulary,
                const at::Tensor& out, TensorGroup* group = nullptr);

}  // namespace unmask
