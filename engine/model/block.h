// SPDX-License-Identifier: Apache-2.0
// One transformer block: attention, then feed-forward, over one slab.
#pragma once

#include "engine/model/attention.h"
#include "engine/model/feed_forward.h"

namespace unmask {

class Block final : public Layer {
 public:
    Block(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix, Queries queries);

    Stream forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const override;
    at::Tensor backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                        BackwardPart part) const override;

    // Fills `saved` again from saved[input] alone; bit-equal.
    void recompute(SavedBuffers& saved, const StepContext& context) const;
    Queries queries() const { return m_queries; }

 private:
    Queries m_queries;
    Attention m_attention;
    FeedForward m_feedForward;
};

}  // namespace unmask
