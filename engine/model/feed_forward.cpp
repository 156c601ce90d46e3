// SPDX-License-Identifier: Apache-2.0
#include "engine/model/feed_forward.h"

#include "engine/ops/activation.h"
#include "engine/ops/device_options.h"

namespace unmask {

using B = BlockBuffer;
using W = WorkBuffer;

std::vector<std::string> innerNames(const ModelConfig& config, const std::string& part) {
    if (config.activation == ActivationKind::swiglu)
        return {part + ".gate", part + ".up"};
    return {part + ".up"};
}

void activate(ActivationKind kind, const at::Tensor& inner, const at::Tensor& product) {
    if (kind == ActivationKind::swiglu)
        swigluForward(inner, product);
    else
        geluForward(inner, product);
}

void activateBack(ActivationKind kind, const at::Tensor& gradientProduct, const at::Tensor& inner,
                  const at::Tensor& product) {
    if (kind == ActivationKind::swiglu)
        swigluBackward(gradientProduct, inner, product);
    else
        geluBackward(gradientProduct, inner, product);
}

Norm::Buffers feedForwardNorm(const SavedBuffers& saved) {
    return {saved[B::middle], saved[B::normed2], saved[B::rstd2], saved[B::mean2]};
}

namespace {

LinearInput innerInput(const SavedBuffers& saved) {
    return {saved[B::normed2], saved[B::normed2Codes]};
}
LinearInput downInput(const SavedBuffers& saved) {
    return {saved[B::product], saved[B::productCodes]};
}

// Nothing but products in 8 bits reads the activation's values then.
bool straightToCodes(const StepContext& context) {
    return context.fp8 == Fp8Range::known && !context.restoring && !context.sharers &&
           !deviceOptions().exact(ExactOp::activation);
}

}  // namespace

FeedForward::FeedForward(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix)
    : m_activation(config.activation),
      m_norm(slab, prefix + "feed_forward.norm", config.normEpsilon),
      m_inner(slab, innerNames(config, prefix + "feed_forward")),
      m_down(slab, {prefix + "feed_forward.down"}, Sharding::row) {}

void FeedForward::recompute(const Stream& in, SavedBuffers& saved, const StepContext& context) const {
    m_norm.forward(in, feedForwardNorm(saved));
    m_inner.forward(innerInput(saved), saved[B::inner], context);
    activate(m_activation, saved[B::inner], saved[B::product]);
    m_down.keepInput(downInput(saved), context);
}

Stream FeedForward::forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const {
    m_norm.forward(in, feedForwardNorm(saved));
    m_inner.forward(innerInput(saved), saved[B::inner], context);
    const int64_t rows = saved[B::inner].size(0);
    const at::Tensor delta = context.rowsOf(W::delta, rows);
    if (straightToCodes(context)) {
        const Fp8Copies product = m_down.inputCopies(rows, saved[B::productCodes], context);
        quantiseProductFp8(m_activation, saved[B::inner], product);
        m_down.forwardCodes(product, delta, context);
    } else {
        activate(m_activation, saved[B::inner], saved[B::product]);
        m_down.forward(downInput(saved), delta, context);
    }
    return {saved[B::middle], delta};
}

ResultGradient FeedForward::innerGradientCodes(int64_t rows, const SavedBuffers& saved,
                                               const StepContext& context) const {
    const Fp8Copies copies = m_inner.gradientCopies(rows, context);
    quantiseInnerGradientFp8(m_activation, context.rowsOf(W::productGradient, rows), saved[B::inner], copies);
    return {saved[B::inner], copies.row, copies.transposed};
}

at::Tensor FeedForward::backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                                 BackwardPart part) const {
    const int64_t rows = gradient.size(0);
    const bool fused = part == BackwardPart::both && straightToCodes(context) && !m_inner.hasBias();
    const Linear::Copy copy = context.restoring ? Linear::Copy::again : Linear::Copy::fromForward;
    if (part == BackwardPart::input)
        saved[B::feedForwardGradient].copy_(gradient);
    const ResultGradient out =
        m_down.resultGradient(part == BackwardPart::weight ? saved[B::feedForwardGradient] : gradient, context);
    if (wantsInput(part)) {
        const at::Tensor gradientProduct = context.rowsOf(W::productGradient, rows);
        m_down.backwardInput(out, gradientProduct, context);
        if (!fused)
            activateBack(m_activation, gradientProduct, saved[B::inner],
                         context.restoring ? saved[B::product] : at::Tensor{});
    }
    if (wantsWeight(part))
        m_down.backwardWeight(out, downInput(saved), context, copy);
    const ResultGradient inner =
        fused ? innerGradientCodes(rows, saved, context) : m_inner.resultGradient(saved[B::inner], context);
    if (wantsWeight(part) && !context.restoring)
        m_inner.backwardWeight(inner, innerInput(saved), context);
    if (wantsInput(part)) {
        const at::Tensor gradientNormed = context.rowsOf(W::delta, rows);
        m_inner.backwardInput(inner, gradientNormed, context);
        context.complete(gradientNormed);
        m_norm.backward(gradientNormed, feedForwardNorm(saved), gradient, context.work[W::reduction],
                        context.restoring);
        if (context.restoring)  // by now it is normed2
            m_inner.backwardWeight(inner, {gradientNormed, saved[B::normed2Codes]}, context, copy);
    }
    return gradient;
}

}  // namespace unmask
