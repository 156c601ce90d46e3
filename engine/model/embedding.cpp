// SPDX-License-Identifier: Apache-2.0
#include "engine/model/embedding.h"

#include "engine/ops/embedding.h"

namespace unmask {

void Embedding::forward(const at::Tensor& tokens, const at::Tensor& x) const {
    embeddingForward(tokens, m_weight.value, x);
}

void Embedding::backward(const at::Tensor& tokens, const at::Tensor& gradient) const {
    embeddingBackward(tokens, gradient, m_weight.gradient);
}

}  // namespace unmask
