// SPDX-License-Identifier: Apache-2.0
#include "engine/model/embedding.h"

#include "engine/ops/embedding.h"

namespace unmask {

namespace {

VocabularyPart partOf(const TensorGroup& sharers, int64_t rows) {
    return {sharers.part() * rows, sharers.parts() * rows};
}

}  // namespace

void Embedding::forward(const at::Tensor& tokens, const at::Tensor& x, TensorGroup* sharers) const {
    if (!sharers)
        return embeddingForward(tokens, m_weight.value, x);
    embeddingForward(tokens, m_weight.value, partOf(*sharers, m_weight.value.size(0)), x);
    sharers->sum(x);  // of one value and zeros: exact
}

void Embedding::backward(const at::Tensor& tokens, const at::Tensor& gradient, const TensorGroup* sharers) const {
    if (!sharers)
        return embeddingBackward(tokens, gradient, m_weight.gradient);
    embeddingBackward(tokens, gradient, partOf(*sharers, m_weight.gradient.size(0)), m_weight.gradient);
}

}  // namespace unmask
