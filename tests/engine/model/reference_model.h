// SPDX-License-Identifier: Apache-2.0
// The whole model written plainly with differentiable functions over the engine's own parameters: full logits at every
// position, no arena. Its autograd gradients are the truth that the chain is held to.
#pragma once

#include <ATen/ops/embedding.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/log_softmax.h>

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
        at::Tensor x = at::embedding(get("embedding.weight"), tokens);
        for (int64_t layer = 0; layer < m_config.layers; ++layer) {
            const std::string prefix = "blocks." + std::to_string(layer) + ".";
            x = x + attend(norm(x, prefix + "attention.norm"), prefix + "attention.", layout);
            x = x + feedForward(norm(x, prefix + "feed_forward.norm"), prefix + "feed_forward.");
        }
        const at::Tensor head = get(m_config.tiedHead ? "embedding.weight" : "head.weight");
        at::Tensor logits = at::index_select(at::linear(norm(x, "head.norm"), head), 0, scoredRows);
        if (limit.used >= 0)
            logits = logits.narrow(1, 0, limit.maskId == limit.used - 1 ? limit.used - 1 : limit.used);
        return -at::gather(at::log_softmax(logits, -1), 1, targets.unsqueeze(1)).squeeze(1);
    }

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

    ModelConfig m_config;
    std::map<std::string, at::Tensor> m_weights;
};

}  // namespace unmask::reference
