// SPDX-License-Identifier: Apache-2.0
// x + Σ weight · expert(norm(x)) over the experts that a router chooses for each token, plus the experts that all
// tokens share. An expert is a feed-forward part of its own; tokens are brought into the order of their experts, so
// that each multiplies contiguous rows. The gradient of a route's weight is ⟨gradient · down, product⟩, so that results
// of experts need not be kept.
#pragma once

#include <optional>
#include <vector>

#include "engine/model/attention.h"
#include "engine/ops/routing.h"

namespace unmask {

class MixtureOfExperts final : public RecomputedLayer {
 public:
    MixtureOfExperts(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix, Queries queries);
    static bool isIn(const SlabBinding& slab, const std::string& prefix);

    Stream forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const override;
    void recompute(const Stream& in, SavedBuffers& saved, const StepContext& context) const override;
    at::Tensor backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                        BackwardPart part) const override;

    // (E + 2) float64: routes that each expert was chosen for, routes dropped, share · balance loss; added to by every
    // backward pass, so recomputing and validation do not count.
    const at::Tensor& load() const { return m_load; }
    const Weight& bias() const { return m_bias; }  // (E) of the choice; undefined without it

 private:
    struct Expert {
        Linear inner;  // gate ‖ up
        Linear down;
        Weight downBias;
        Expert(const ModelConfig& config, const SlabBinding& slab, const std::string& part);
    };
    // The buffers of a block as matrices, A of their rows in use.
    struct Routed;
    Routed routed(const SavedBuffers& saved, const StepContext& context) const;
    // visit(expert, first row, rows) for each that has any.
    template <class Visit>
    void eachExpert(const Routed& r, Visit&& visit) const;

    RouteOptions options(const StepContext& context) const;
    void forwardSaved(const Stream& in, SavedBuffers& saved, const StepContext& context) const;
    void productsBack(const at::Tensor& gradient, const Routed& r, const StepContext& context, BackwardPart part) const;
    void sharedBack(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                    BackwardPart part) const;
    void routesBack(const Routed& r, const StepContext& context) const;
    at::Tensor inputBack(const Routed& r, SavedBuffers& saved, const StepContext& context) const;
    void weightsBack(const at::Tensor& normed, const Routed& r, SavedBuffers& saved, const StepContext& context) const;

    ModelConfig m_config;
    Queries m_queries;
    Norm m_norm;
    Linear m_router;
    Weight m_bias;
    std::vector<Expert> m_experts;
    std::optional<Expert> m_shared;
    at::Tensor m_load;
};

}  // namespace unmask
