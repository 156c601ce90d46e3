// SPDX-License-Identifier: Apache-2.0
#include "engine/model/feed_forward.h"

#include "engine/ops/activation.h"

namespace unmask {

using B = BlockBuffer;
using W = WorkBuffer;

namespace {

std::vector<std::string> innerNames(const ModelConfig& config, const std::string& prefix) {
    if (config.activation == ActivationKind::swiglu)
        return {prefix + "feed_forward.gate", prefix + "feed_forward.up"};
    return {prefix + "feed_forward.up"};
}

Norm::Buffers normBuffers(const SavedBuffers& saved) {
    return {saved[B::middle], saved[B::normed2], saved[B::rstd2], saved[B::mean2]};
}

}  // namespace

FeedForward::FeedForward(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix)
    : m_gated(config.activation == ActivationKind::swiglu),
      m_norm(slab, prefix + "feed_forward.norm", config.normEpsilon),
      m_inner(slab, innerNames(config, prefix)),
      m_down(slab, {prefix + "feed_forward.down"}) {}

void FeedForward::activate(SavedBuffers& saved) const {
    if (m_gated)
        swigluForward(saved[B::inner], saved[B::product]);
    else
        geluForward(saved[B::inner], saved[B::product]);
}

void FeedForward::activateBack(const at::Tensor& gradientProduct, SavedBuffers& saved, bool restoring) const {
    const at::Tensor product = restoring ? saved[B::product] : at::Tensor{};
    if (m_gated)
        swigluBackward(gradientProduct, saved[B::inner], product);
    else
        geluBackward(gradientProduct, saved[B::inner], product);
}

void FeedForward::forwardSaved(const Stream& in, SavedBuffers& saved) const {
    m_norm.forward(in, normBuffers(saved));
    m_inner.forward(saved[B::normed2], saved[B::inner]);
    activate(saved);
}

Stream FeedForward::forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const {
    forwardSaved(in, saved);
    const at::Tensor delta = context.rowsOf(W::delta, saved[B::product].size(0));
    m_down.forward(saved[B::product], delta);
    return {saved[B::middle], delta};
}

at::Tensor FeedForward::backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                                 BackwardPart part) const {
    const int64_t rows = gradient.size(0);
    const at::Tensor& scratch = context.work[W::reduction];
    if (part == BackwardPart::input)
        saved[B::feedForwardGradient].copy_(gradient);
    if (wantsInput(part)) {
        const at::Tensor gradientProduct = context.rowsOf(W::productGradient, rows);
        m_down.backwardInput(gradient, gradientProduct);
        activateBack(gradientProduct, saved, context.restoring);
    }
    if (wantsWeight(part)) {
        const at::Tensor& out = part == BackwardPart::weight ? saved[B::feedForwardGradient] : gradient;
        m_down.backwardWeight(out, saved[B::product], scratch);
        if (!context.restoring)
            m_inner.backwardWeight(saved[B::inner], saved[B::normed2], scratch);
    }
    if (wantsInput(part)) {
        const at::Tensor gradientNormed = context.rowsOf(W::delta, rows);
        m_inner.backwardInput(saved[B::inner], gradientNormed);
        m_norm.backward(gradientNormed, normBuffers(saved), gradient, scratch, context.restoring);
        if (context.restoring)  // by now it is normed2
            m_inner.backwardWeight(saved[B::inner], gradientNormed, scratch);
    }
    return gradient;
}

}  // namespace unmask
