// SPDX-License-Identifier: Apache-2.0
// One transformer block over one slab: attention, then feed-forward, which is a mixture of experts where the slab holds
// a router.
#pragma once

#include <memory>

#include "engine/model/attention.h"
#include "engine/model/mixture_of_experts.h"

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
    const MixtureOfExperts* experts() const { return m_experts; }  // null in a dense block

 private:
    Queries m_queries;
    Attention m_attention;
    std::unique_ptr<RecomputedLayer> m_feedForward;
    const MixtureOfExperts* m_experts = nullptr;
};

}  // namespace unmask
