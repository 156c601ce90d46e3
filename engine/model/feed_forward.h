// SPDX-License-Identifier: Apache-2.0
// x + down(swiglu(gate, up)) of norm(x), or x + down(gelu(up)).
#pragma once

#include "engine/model/linear.h"
#include "engine/model/norm.h"
#include "engine/protocol/model_config.h"

namespace unmask {

class FeedForward final : public Layer {
 public:
    FeedForward(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix);

    Stream forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const override;
    at::Tensor backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                        BackwardPart part) const override;

    // forward without its last product, whose result a recomputed block does not need.
    void recompute(const Stream& in, SavedBuffers& saved, const StepContext& context) const;

 private:
    void forwardSaved(const Stream& in, SavedBuffers& saved, const StepContext& context) const;
    void activate(SavedBuffers& saved) const;
    void activateBack(const at::Tensor& gradientProduct, SavedBuffers& saved, bool restoring) const;

    bool m_gated;
    Norm m_norm;
    Linear m_inner;  // gate ‖ up
    Linear m_down;
};

}  // namespace unmask
