// SPDX-License-Identifier: Apache-2.0
// Final norm and projection to the vocabulary, on scored rows only. A tied head uses the embedding's matrix and adds to
// its gradient.
#pragma once

#include "engine/model/norm.h"
#include "engine/ops/masked_cross_entropy.h"

namespace unmask {

class Head {
 public:
    Head(const SlabBinding& slab, const Weight& weight, double epsilon);

    // ℓ of each row into work[rowLosses].
    void losses(const Stream& in, const at::Tensor& targets, const VocabularyLimit& vocabulary,
                const StepContext& context) const;
    // The same with gradients of Σ weights · ℓ; returns that of the stream, in work[scoredGradient].
    at::Tensor lossesAndGradient(const Stream& in, const at::Tensor& targets, const at::Tensor& weights,
                                 const LossOptions& options, const StepContext& context) const;
    // out (r, V): of the first r rows
    void logits(const Stream& in, const VocabularyLimit& vocabulary, const StepContext& context,
                const at::Tensor& out) const;

 private:
    Norm::Buffers normed(const Stream& in, const StepContext& context) const;

    Norm m_norm;
    Weight m_weight;  // (V, C), or this device's rows of it
};

}  // namespace unmask
