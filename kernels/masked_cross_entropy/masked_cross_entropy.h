// SPDX-License-Identifier: Apache-2.0
// Cross-entropy of scored rows, loss and gradient in one pass: logits are read once and overwritten by their gradient
// (softmax - onehot) * weight. Excluded ids (the mask, and padding rows of the vocabulary) get probability 0 and
// gradient 0. Losses are the cross-entropies; zLoss adds the gradient of zLoss · (log of the sum of exponentials)²,
// which keeps that sum near 1. Softmax and loss in float. Budget: 4 V bytes a row in bf16.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

struct MaskedCrossEntropyArgs {
    void* logits;            // in (rows, V); out: gradients, where `weights` is given
    const int64_t* targets;  // (rows); a negative target is a padding row: loss 0, gradient 0
    const double* weights;   // (rows), or null: losses alone, logits are kept
    double* losses;          // out (rows), nats
    int64_t rows;
    int V;       // multiple of 8
    int used;    // ids from here on are excluded
    int maskId;  // excluded too; -1 means none
    DType dtype;
    float zLoss = 0;
    const float* gradientScale = nullptr;  // in device memory: a factor of all gradients; null means 1
};
Status maskedCrossEntropy(const MaskedCrossEntropyArgs& args, Stream stream);
Status maskedCrossEntropyReference(const MaskedCrossEntropyArgs& args);

}  // namespace unmask::kernels
