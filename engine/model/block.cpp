// SPDX-License-Identifier: Apache-2.0
#include "engine/model/block.h"

#include "engine/model/feed_forward.h"

namespace unmask {

Block::Block(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix, Queries queries)
    : m_queries(queries), m_attention(config, slab, prefix, queries) {
    if (!MixtureOfExperts::isIn(slab, prefix)) {
        m_feedForward = std::make_unique<FeedForward>(config, slab, prefix);
        return;
    }
    auto experts = std::make_unique<MixtureOfExperts>(config, slab, prefix, queries);
    m_experts = experts.get();
    m_feedForward = std::move(experts);
}

Stream Block::forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const {
    return m_feedForward->forward(m_attention.forward(in, saved, context), saved, context);
}

void Block::recompute(SavedBuffers& saved, const StepContext& context) const {
    m_feedForward->recompute(m_attention.forward({saved[BlockBuffer::input], {}}, saved, context), saved, context);
}

at::Tensor Block::backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                           BackwardPart part) const {
    return m_attention.backward(m_feedForward->backward(gradient, saved, context, part), saved, context, part);
}

}  // namespace unmask
