// SPDX-License-Identifier: Apache-2.0
#include "engine/model/mixture_of_experts.h"

#include <ATen/ops/zeros.h>

#include "engine/model/feed_forward.h"

namespace unmask {

using B = BlockBuffer;
using W = WorkBuffer;

namespace {

RouteTables routeTables(const SavedBuffers& saved) {
    return {saved[B::routeScores], saved[B::routeWeights], saved[B::routeExperts],
            saved[B::routePlaces], saved[B::routeOrder],   saved[B::expertBounds]};
}

// The beginning of a buffer's memory as a matrix.
at::Tensor matrix(const at::Tensor& buffer, int64_t rows, int64_t columns) {
    return buffer.flatten().narrow(0, 0, rows * columns).view({rows, columns});
}

}  // namespace

struct MixtureOfExperts::Routed {
    RouteTables tables;
    int64_t rows = 0;           // N
    int64_t taken = 0;          // A
    at::Tensor inner, product;  // (A, ·)
    at::Tensor work;            // (A, C)
};

MixtureOfExperts::Expert::Expert(const ModelConfig& config, const SlabBinding& slab, const std::string& part)
    : inner(slab, innerNames(config, part)), down(slab, {part + ".down"}), downBias(slab(part + ".down.bias")) {}

bool MixtureOfExperts::isIn(const SlabBinding& slab, const std::string& prefix) {
    return slab.has(prefix + "feed_forward.router.weight");
}

MixtureOfExperts::MixtureOfExperts(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix,
                                   Queries queries)
    : m_config(config),
      m_queries(queries),
      m_norm(slab, prefix + "feed_forward.norm", config.normEpsilon),
      m_router(slab, {prefix + "feed_forward.router"}),
      m_bias(slab(prefix + "feed_forward.router.expert_bias")),
      m_load(at::zeros({config.experts + 2}, at::TensorOptions().dtype(at::kDouble))) {
    for (int64_t expert = 0; expert < config.experts; ++expert)
        m_experts.emplace_back(config, slab, prefix + "feed_forward.experts." + std::to_string(expert));
    if (config.sharedExperts > 0)
        m_shared.emplace(config, slab, prefix + "feed_forward.shared");
}

MixtureOfExperts::Routed MixtureOfExperts::routed(const SavedBuffers& saved, const StepContext& context) const {
    Routed r;
    r.tables = routeTables(saved);
    r.rows = r.tables.scores.size(0);
    r.taken = r.tables.bounds.data_ptr<int32_t>()[m_config.experts];
    const int64_t f = m_config.effectiveExpertWidth();
    const int64_t parts = m_config.activation == ActivationKind::swiglu ? 2 : 1;
    r.inner = matrix(saved[B::inner], r.taken, parts * f);
    r.product = matrix(saved[B::product], r.taken, f);
    r.work = matrix(context.work[W::expertRows], r.taken, m_config.width);
    return r;
}

template <class Visit>
void MixtureOfExperts::eachExpert(const Routed& r, Visit&& visit) const {
    const int32_t* bounds = r.tables.bounds.data_ptr<int32_t>();
    for (size_t expert = 0; expert < m_experts.size(); ++expert)
        if (bounds[expert + 1] > bounds[expert])
            visit(m_experts[expert], int64_t{bounds[expert]}, int64_t{bounds[expert + 1] - bounds[expert]});
}

RouteOptions MixtureOfExperts::options(const StepContext& context) const {
    const at::Tensor& bounds = m_queries == Queries::all ? context.bounds : context.scoredBounds;
    return {m_config.router, m_config.normalisedRoutes,
            expertCapacity(m_config.expertCapacity, routedRows(bounds), m_config.experts, m_config.expertsPerToken)};
}

void MixtureOfExperts::forwardSaved(const Stream& in, SavedBuffers& saved, const StepContext& context) const {
    const at::Tensor& normed = saved[B::normed2];
    m_norm.forward(in, feedForwardNorm(saved));
    m_router.forward({normed, {}}, saved[B::routeScores], context);
    routeRows(routeTables(saved), m_bias.value, m_queries == Queries::all ? context.bounds : context.scoredBounds,
              options(context));
    const Routed r = routed(saved, context);
    gatherRoutes(normed, r.tables, r.work);
    eachExpert(r, [&](const Expert& expert, int64_t first, int64_t rows) {
        expert.inner.forward({r.work.narrow(0, first, rows), {}}, r.inner.narrow(0, first, rows), context);
    });
    activate(m_config.activation, r.inner, r.product);
    if (!m_shared)
        return;
    m_shared->inner.forward({normed, {}}, saved[B::sharedInner], context);
    activate(m_config.activation, saved[B::sharedInner], saved[B::sharedProduct]);
}

void MixtureOfExperts::recompute(const Stream& in, SavedBuffers& saved, const StepContext& context) const {
    forwardSaved(in, saved, context);
}

Stream MixtureOfExperts::forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const {
    forwardSaved(in, saved, context);
    const Routed r = routed(saved, context);
    eachExpert(r, [&](const Expert& expert, int64_t first, int64_t rows) {
        expert.down.forward({r.product.narrow(0, first, rows), {}}, r.work.narrow(0, first, rows), context);
    });
    const at::Tensor delta = context.rowsOf(W::delta, r.rows);
    if (m_shared)
        m_shared->down.forward({saved[B::sharedProduct], {}}, delta, context);
    else
        delta.zero_();
    addRoutes(r.work, r.tables, RouteSum::weighted, delta);
    return {saved[B::middle], delta};
}

// From the gradient of the block's result to that of the experts' inner values, and of the routes' weights.
void MixtureOfExperts::productsBack(const at::Tensor& gradient, const Routed& r, const StepContext& context,
                                    BackwardPart part) const {
    const auto rowsOf = [&](const at::Tensor& t, int64_t first, int64_t rows) { return t.narrow(0, first, rows); };
    if (context.restoring)
        activate(m_config.activation, r.inner, r.product);
    gatherRoutes(gradient, r.tables, r.work);
    at::Tensor gradientProduct;
    if (wantsInput(part)) {
        gradientProduct = matrix(context.work[W::expertGradient], r.taken, r.product.size(1));
        const at::Tensor gradientWeights = context.rowsOf(W::routeGradient, r.rows);
        gradientWeights.zero_();
        eachExpert(r, [&](const Expert& expert, int64_t first, int64_t rows) {
            const at::Tensor above = rowsOf(r.work, first, rows);
            expert.down.backwardInput({above, {}, {}}, rowsOf(gradientProduct, first, rows), context);
            if (expert.downBias.defined())
                addRouteProducts(above, expert.downBias.value.unsqueeze(0).expand_as(above), r.tables, first,
                                 gradientWeights);
        });
        addRouteProducts(gradientProduct, r.product, r.tables, 0, gradientWeights);
        weighRoutes(gradientProduct, r.tables);
    }
    if (wantsWeight(part)) {
        weighRoutes(r.work, r.tables);
        eachExpert(r, [&](const Expert& expert, int64_t first, int64_t rows) {
            expert.down.backwardWeight({rowsOf(r.work, first, rows), {}, {}}, {rowsOf(r.product, first, rows), {}},
                                       context);
        });
    }
    if (wantsInput(part))
        activateBack(m_config.activation, gradientProduct, r.inner);
}

void MixtureOfExperts::sharedBack(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                                  BackwardPart part) const {
    const at::Tensor& inner = saved[B::sharedInner];
    const at::Tensor& product = saved[B::sharedProduct];
    if (context.restoring)
        activate(m_config.activation, inner, product);
    if (wantsWeight(part))
        m_shared->down.backwardWeight({gradient, {}, {}}, {product, {}}, context);
    if (!wantsInput(part))
        return;
    const at::Tensor gradientProduct = matrix(context.work[W::expertGradient], product.size(0), product.size(1));
    m_shared->down.backwardInput({gradient, {}, {}}, gradientProduct, context);
    activateBack(m_config.activation, gradientProduct, inner);
}

// Scores become the gradient of the router's logits; what the routes were is counted on the way.
void MixtureOfExperts::routesBack(const Routed& r, const StepContext& context) const {
    const bool wanted = m_config.expertBalance == ExpertBalance::loss;
    const double weight = wanted ? m_config.balanceCoefficient * context.share : 0;
    const double balance = routeBackward(r.tables, context.rowsOf(W::routeGradient, r.rows), options(context), weight);
    const int32_t* chosen = r.tables.bounds.data_ptr<int32_t>() + m_config.experts + 1;
    double* load = m_load.data_ptr<double>();
    int64_t routes = 0;
    for (int64_t expert = 0; expert < m_config.experts; ++expert) {
        load[expert] += chosen[expert];
        routes += chosen[expert];
    }
    load[m_config.experts] += static_cast<double>(routes - r.taken);
    load[m_config.experts + 1] += context.share * balance;
}

// The gradient of the norm's output.
at::Tensor MixtureOfExperts::inputBack(const Routed& r, SavedBuffers& saved, const StepContext& context) const {
    const at::Tensor gradientNormed = context.rowsOf(W::delta, r.rows);
    m_router.backwardInput({r.tables.scores, {}, {}}, gradientNormed, context);
    eachExpert(r, [&](const Expert& expert, int64_t first, int64_t rows) {
        expert.inner.backwardInput({r.inner.narrow(0, first, rows), {}, {}}, r.work.narrow(0, first, rows), context);
    });
    addRoutes(r.work, r.tables, RouteSum::plain, gradientNormed);
    if (m_shared) {
        const at::Tensor shared = matrix(context.work[W::expertRows], r.rows, m_config.width);
        m_shared->inner.backwardInput({saved[B::sharedInner], {}, {}}, shared, context);
        gradientNormed.add_(shared);
    }
    return gradientNormed;
}

void MixtureOfExperts::weightsBack(const at::Tensor& normed, const Routed& r, SavedBuffers& saved,
                                   const StepContext& context) const {
    m_router.backwardWeight({r.tables.scores, {}, {}}, {normed, {}}, context);
    if (m_shared)
        m_shared->inner.backwardWeight({saved[B::sharedInner], {}, {}}, {normed, {}}, context);
    gatherRoutes(normed, r.tables, r.work);
    eachExpert(r, [&](const Expert& expert, int64_t first, int64_t rows) {
        expert.inner.backwardWeight({r.inner.narrow(0, first, rows), {}, {}}, {r.work.narrow(0, first, rows), {}},
                                    context);
    });
}

at::Tensor MixtureOfExperts::backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                                      BackwardPart part) const {
    const Routed r = routed(saved, context);
    if (part == BackwardPart::input)
        saved[B::feedForwardGradient].copy_(gradient);
    const at::Tensor above = part == BackwardPart::weight ? saved[B::feedForwardGradient] : gradient;
    productsBack(above, r, context, part);
    if (m_shared)
        sharedBack(above, saved, context, part);
    at::Tensor normed = saved[B::normed2];
    if (wantsInput(part)) {
        routesBack(r, context);
        const at::Tensor gradientNormed = inputBack(r, saved, context);
        m_norm.backward(gradientNormed, feedForwardNorm(saved), gradient, context.work[W::reduction],
                        context.restoring);
        if (context.restoring)  // by now it is normed2
            normed = gradientNormed;
    }
    if (wantsWeight(part))
        weightsBack(normed, r, saved, context);
    return gradient;
}

}  // namespace unmask
