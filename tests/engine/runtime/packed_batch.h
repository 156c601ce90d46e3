// SPDX-License-Identifier: Apache-2.0
// A packed micro-batch for the chain, and a model in which every parameter does something.
#pragma once

#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/tensor.h>

#include "engine/runtime/chain_runner.h"
#include "tests/engine/model/reference_model.h"

namespace unmask::reference {

inline constexpr int64_t kVocabulary = 40;

struct Batch {
    StepInput input;
    at::Tensor targets, weights;
};

inline Batch packedBatch(const std::vector<int64_t>& scoredRows) {
    const auto count = static_cast<int64_t>(scoredRows.size());
    Batch batch;
    batch.input.segments = packedLayout();
    batch.input.tokens = at::randint(kVocabulary, {26}, at::TensorOptions().dtype(at::kInt));
    batch.input.scoredRows = at::tensor(scoredRows, at::TensorOptions().dtype(at::kLong));
    batch.targets = at::randint(30, {count}, at::TensorOptions().dtype(at::kLong));
    batch.weights = random({count});
    return batch;
}

// Vectors differ from their initial ones and zeros, so that the gradients of norms and biases are tried, too.
inline void randomise(Transformer& model, uint64_t seed) {
    model.initialise(seed);
    for (const NamedParameter& parameter : model.namedParameters()) {
        at::Tensor value = parameter.value;
        if (value.dim() == 1)
            value.add_(at::rand(value.sizes(), value.options()) - 0.5);
    }
}

}  // namespace unmask::reference
