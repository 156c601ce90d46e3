// SPDX-License-Identifier: Apache-2.0
#include "engine/model/head.h"

namespace unmask {

using W = WorkBuffer;

namespace {

Norm::Buffers normBuffers(const StepContext& context) {
    const WorkBuffers& work = context.work;
    return {work[W::headInput], work[W::headNormed], work[W::headRstd], work[W::headMean]};
}

}  // namespace

Head::Head(const SlabBinding& slab, const Weight& weight, double epsilon)
    : m_norm(slab, "head.norm", epsilon), m_weight(weight) {}

Norm::Buffers Head::normed(const Stream& in, const StepContext& context) const {
    const Norm::Buffers buffers = normBuffers(context);
    m_norm.forward(in, buffers);
    return buffers;
}

void Head::losses(const Stream& in, const at::Tensor& targets, const VocabularyLimit& vocabulary,
                  const StepContext& context) const {
    maskedCrossEntropy({.hidden = normed(in, context).y,
                        .weight = m_weight.value,
                        .targets = targets,
                        .logits = context.work[W::logits],
                        .losses = context.work[W::rowLosses],
                        .options = {.vocabulary = vocabulary},
                        .group = context.sharers});
}

at::Tensor Head::lossesAndGradient(const Stream& in, const at::Tensor& targets, const at::Tensor& weights,
                                   const LossOptions& options, const StepContext& context) const {
    const Norm::Buffers buffers = normed(in, context);
    const at::Tensor gradientNormed = context.rowsOf(W::delta, buffers.y.size(0));
    maskedCrossEntropy({.hidden = buffers.y,
                        .weight = m_weight.value,
                        .targets = targets,
                        .weights = weights,
                        .logits = context.work[W::logits],
                        .losses = context.work[W::rowLosses],
                        .gradient = gradientNormed,
                        .weightGradient = m_weight.gradient,
                        .options = options,
                        .group = context.sharers});
    at::Tensor gradient = context.work[W::scoredGradient];
    gradient.zero_();
    m_norm.backward(gradientNormed, buffers, gradient, context.work[W::reduction]);
    return gradient;
}

void Head::logits(const Stream& in, const VocabularyLimit& vocabulary, const StepContext& context,
                  const at::Tensor& out) const {
    headLogits(normed(in, context).y.narrow(0, 0, out.size(0)), m_weight.value, vocabulary, out, context.sharers);
}

}  // namespace unmask
