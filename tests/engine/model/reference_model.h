// SPDX-License-Identifier: Apache-2.0
// The whole model written plainly with differentiable functions over the engine's own parameters: full logits at every
// position, every expert on every row, no arena. Its autograd gradients are the truth that the chain is held to.
#pragma once

#include <ATen/ops/embedding.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones.h>

#include <map>
#include <string>

#include "engine/model/transformer.h"
#include "tests/engine/ops/autograd_reference.h"

namespace unmask::reference {

class Model {
 public:
    explicit Model(const Transformer& transformer) : m_config(transformer.config()) {
        for (const NamedParameter& parameter : transformer.namedParameters())
            m_weights[parameter.name] = differentiable(parameter.value.to(at::kDouble));
    }

    // ℓ of the scored rows.
    at::Tensor losses(const at::Tensor& tokens, const SegmentLayout& layout, const at::Tensor& scoredRows,
                      const at::Tensor& targets, const VocabularyLimit& limit = {}) const {
        m_balance = at::zeros({}, float64());
        at::Tensor x = at::embedding(get("embedding.weight"), tokens);
        for (int64_t layer = 0; layer < m_config.layers; ++layer) {
            const std::string prefix = "blocks." + std::to_string(layer) + ".";
            x = x + attend(norm(x, prefix + "attention.norm"), prefix + "attention.", layout);
            const at::Tensor normed = norm(x, prefix + "feed_forward.norm");
            const std::string inner = prefix + "feed_forward.";
            x = x + (m_config.isSparse(layer)
                         ? experts(normed, inner, layer + 1 == m_config.layers ? scoredRows : rowsOf(layout))
                         : feedForward(normed, inner));
        }
        const at::Tensor head = get(m_config.tiedHead ? "embedding.weight" : "head.weight");
        at::Tensor logits = at::index_select(at::linear(norm(x, "head.norm"), head), 0, scoredRows);
        if (limit.used >= 0)
            logits = logits.narrow(1, 0, limit.maskId == limit.used - 1 ? limit.used - 1 : limit.used);
        return -at::gather(at::log_softmax(logits, -1), 1, targets.unsqueeze(1)).squeeze(1);
    }

    // Σ over sparse blocks of the balance loss with its coefficient, of the last call of `losses`.
    at::Tensor balance() const { return m_balance; }

    at::Tensor gradient(const std::string& name) const { return m_weights.at(name).grad(); }

 private:
    const at::Tensor& get(const std::string& name) const { return m_weights.at(name); }

    at::Tensor norm(const at::Tensor& x, const std::string& name) const {
        if (m_config.norm == NormKind::rmsNorm)
            return rmsNorm(x, get(name + ".weight"), m_config.normEpsilon);
        return layerNorm(x, get(name + ".weight"), get(name + ".bias"), m_config.normEpsilon);
    }

    at::Tensor project(const at::Tensor& x, const std::string& name) const {
        const at::Tensor y = at::linear(x, get(name + ".weight"));
        return m_config.biases ? y + get(name + ".bias") : y;
    }

    at::Tensor attend(const at::Tensor& x, const std::string& prefix, const SegmentLayout& layout) const {
        const int64_t n = x.size(0);
        const int64_t d = m_config.headWidth();
        const at::Tensor positions = positionsOf(layout);
        at::Tensor query = project(x, prefix + "query").reshape({n, m_config.heads, d});
        at::Tensor key = project(x, prefix + "key").reshape({n, m_config.effectiveKeyValueHeads(), d});
        const at::Tensor value = project(x, prefix + "value").reshape({n, m_config.effectiveKeyValueHeads(), d});
        if (m_config.qkNorm) {
            query = rmsNorm(query, get(prefix + "query_norm.weight"), m_config.normEpsilon);
            key = rmsNorm(key, get(prefix + "key_norm.weight"), m_config.normEpsilon);
        }
        query = rotary(query, positions, m_config.ropeBase);
        key = rotary(key, positions, m_config.ropeBase);
        return project(attention(query, key, value, layout).reshape({n, m_config.width}), prefix + "output");
    }

    at::Tensor feedForward(const at::Tensor& x, const std::string& prefix) const {
        const at::Tensor up = project(x, prefix + "up");
        if (m_config.activation == ActivationKind::gelu)
            return project(at::gelu(up, "tanh"), prefix + "down");
        return project(at::silu(project(x, prefix + "gate")) * up, prefix + "down");
    }

    static at::Tensor rowsOf(const SegmentLayout& layout) {
        std::vector<at::Tensor> rows;
        for (const Segment& segment : layout.segments)
            rows.push_back(at::arange(segment.begin, segment.begin + segment.length));
        return at::cat(rows);
    }

    // 1 for routes that are taken, 0 for those whose expert is full: first choices first, then in order of rows.
    at::Tensor roomFor(const at::Tensor& chosen) const {
        const int64_t n = chosen.size(0), k = chosen.size(1);
        at::Tensor taken = at::ones({n, k}, float64());
        if (m_config.expertCapacity == 0)
            return taken;
        const double share = static_cast<double>(n * k) / static_cast<double>(m_config.experts);
        const double room = std::max(1.0, std::ceil(m_config.expertCapacity * share));
        std::map<int64_t, double> count;
        for (int64_t j = 0; j < k; ++j)
            for (int64_t row = 0; row < n; ++row)
                if (++count[chosen[row][j].item<int64_t>()] > room)
                    taken[row][j].fill_(0);
        return taken;
    }

    // Every expert on every row, and weights that are zero where it was not chosen.
    at::Tensor experts(const at::Tensor& all, const std::string& prefix, const at::Tensor& rows) const {
        const at::Tensor x = all.index_select(0, rows);
        const at::Tensor logits = at::linear(x, get(prefix + "router.weight"));
        const bool softmax = m_config.router == RouterKind::softmax;
        const at::Tensor scores = softmax ? logits.softmax(-1) : logits.sigmoid();
        const bool biased = m_config.expertBalance == ExpertBalance::bias;
        const at::Tensor wish = (biased ? scores + get(prefix + "router.expert_bias") : scores).detach();
        const at::Tensor chosen =
            wish.argsort(/*stable=*/true, -1, /*descending=*/true).narrow(1, 0, m_config.expertsPerToken);
        at::Tensor weights = scores.gather(1, chosen);
        if (m_config.normalisedRoutes)
            weights = weights / (weights.sum(-1, true) + 1e-20);
        const at::Tensor shares = at::zeros(scores.sizes(), float64()).scatter(1, chosen, weights * roomFor(chosen));
        at::Tensor y = at::zeros(x.sizes(), float64());
        for (int64_t expert = 0; expert < m_config.experts; ++expert)
            y = y + shares.narrow(1, expert, 1) * feedForward(x, prefix + "experts." + std::to_string(expert) + ".");
        if (m_config.sharedExperts > 0)
            y = y + feedForward(x, prefix + "shared.");
        if (m_config.expertBalance == ExpertBalance::loss) {
            const at::Tensor busy = at::zeros(scores.sizes(), float64()).scatter(1, chosen, 1.0).mean(0);
            const at::Tensor likely = (softmax ? scores : scores / (scores.sum(-1, true) + 1e-20)).mean(0);
            m_balance = m_balance +
                        (busy * likely).sum() * (m_config.balanceCoefficient * static_cast<double>(m_config.experts) /
                                                 static_cast<double>(m_config.expertsPerToken));
        }
        return at::zeros(all.sizes(), float64()).index_add(0, rows, y);
    }

    ModelConfig m_config;
    mutable at::Tensor m_balance;
    std::map<std::string, at::Tensor> m_weights;
};

}  // namespace unmask::reference
