// SPDX-License-Identifier: Apache-2.0
// x + down(swiglu(gate, up)) of norm(x), or x + down(gelu(up)).
#pragma once

#include "engine/model/linear.h"
#include "engine/model/norm.h"
#include "engine/protocol/model_config.h"

namespace unmask {

// The names of gate ‖ up, or up alone, of the part "blocks.0.feed_forward".
std::vector<std::string> innerNames(const ModelConfig& config, const std::string& part);
// product (rows, F) from inner (rows, 2F or F), and back: inner becomes its own gradient. product, where defined, is
// made once more on the way.
void activate(ActivationKind kind, const at::Tensor& inner, const at::Tensor& product);
void activateBack(ActivationKind kind, const at::Tensor& gradientProduct, const at::Tensor& inner,
                  const at::Tensor& product = {});
Norm::Buffers feedForwardNorm(const SavedBuffers& saved);

class FeedForward final : public RecomputedLayer {
 public:
    FeedForward(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix);

    Stream forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const override;
    at::Tensor backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                        BackwardPart part) const override;

    void recompute(const Stream& in, SavedBuffers& saved, const StepContext& context) const override;

 private:
    ResultGradient innerGradientCodes(int64_t rows, const SavedBuffers& saved, const StepContext& context) const;

    ActivationKind m_activation;
    Norm m_norm;
    Linear m_inner;  // gate ‖ up
    Linear m_down;
};

}  // namespace unmask
