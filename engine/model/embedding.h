// SPDX-License-Identifier: Apache-2.0
// Token ids → the first state of the residual stream.
#pragma once

#include "engine/model/parameters.h"

namespace unmask {

class Embedding {
 public:
    explicit Embedding(const SlabBinding& slab) : m_weight(slab("embedding.weight")) {}

    void forward(const at::Tensor& tokens, const at::Tensor& x) const;  // tokens (N), x (N, C)
    void backward(const at::Tensor& tokens, const at::Tensor& gradient) const;
    const Weight& weight() const { return m_weight; }  // (V, C)

 private:
    Weight m_weight;
};

}  // namespace unmask
