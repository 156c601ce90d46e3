// SPDX-License-Identifier: Apache-2.0
// Token ids → the first state of the residual stream. Devices that share it have some ids' rows each: cut so, a tied
// head has the rows that it needs for its part of the vocabulary, and the backward pass asks nobody.
#pragma once

#include "engine/model/parameters.h"
#include "engine/ops/tensor_group.h"

namespace unmask {

class Embedding {
 public:
    explicit Embedding(const SlabBinding& slab) : m_weight(slab("embedding.weight")) {}

    // tokens (N), x (N, C); sharers: null where all ids are here
    void forward(const at::Tensor& tokens, const at::Tensor& x, TensorGroup* sharers = nullptr) const;
    void backward(const at::Tensor& tokens, const at::Tensor& gradient, const TensorGroup* sharers = nullptr) const;
    const Weight& weight() const { return m_weight; }  // (V, C) or this device's rows of it

 private:
    Weight m_weight;
};

}  // namespace unmask
