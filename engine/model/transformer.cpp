// SPDX-License-Identifier: Apache-2.0
#include "engine/model/transformer.h"

#include <ATen/Parallel.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/model/initial_weights.h"

namespace unmask {

namespace {

void checkConfig(const ModelConfig& config) {
    const auto require = [](bool condition, const std::string& what) {
        if (!condition)
            throw Error{ErrorCode::badInput, "[model] " + what};
    };
    require(config.layers >= 1 && config.width >= 1 && config.heads >= 1, "layers, width and heads must be at least 1");
    require(config.width % config.heads == 0,
            std::to_string(config.heads) + " heads do not divide the width of " + std::to_string(config.width));
    require(config.heads % config.effectiveKeyValueHeads() == 0, std::to_string(config.effectiveKeyValueHeads()) +
                                                                     " key heads do not divide the " +
                                                                     std::to_string(config.heads) + " attention heads");
    require(config.headWidth() % 2 == 0,
            "rotary positions need an even head width, not " + std::to_string(config.headWidth()));
    require(config.vocabularySize >= 1, "the vocabulary size has not been resolved");
}

double deviation(const ModelConfig& config, ParameterKind kind) {
    return kind == ParameterKind::residualProjection
               ? config.initialStd / std::sqrt(2.0 * static_cast<double>(config.layers))
               : config.initialStd;
}

template <class T>
void fillNormal(T* values, int64_t count, double deviation, const NoiseKeys& keys, uint64_t parameter) {
    at::parallel_for(0, (count + 1) / 2, 4096, [&](int64_t begin, int64_t end) {
        for (int64_t pair = begin; pair < end; ++pair) {
            const NormalPair normals = initialNormals(keys, parameter, static_cast<uint64_t>(pair));
            values[2 * pair] = static_cast<T>(deviation * normals.first);
            if (2 * pair + 1 < count)
                values[2 * pair + 1] = static_cast<T>(deviation * normals.second);
        }
    });
}

}  // namespace

Transformer::Transformer(const ModelConfig& config, at::ScalarType type, Gradients gradients)
    : m_config(config), m_type(type) {
    checkConfig(config);
    const std::vector<SlabShape> shapes = slabShapes(config);
    const auto options = at::TensorOptions().dtype(type);
    for (size_t i = 0; i < shapes.size(); ++i) {
        const SlabShape& shape = shapes[i];
        const at::Tensor gradient =
            gradients == Gradients::allocate ? at::zeros({shape.elements}, options) : at::Tensor{};
        m_slabs.push_back({shape.name, at::zeros({shape.elements}, options), gradient, shape.matrixElements});
        const SlabBinding binding(m_slabs.back(), shape);
        for (const ParameterShape& parameter : shape.parameters) {
            const Weight weight = binding(parameter.name);
            m_parameters.push_back({parameter.name, weight.value, weight.gradient, static_cast<int64_t>(i),
                                    parameter.offset, parameter.kind});
        }
    }
    m_embedding = std::make_unique<Embedding>(SlabBinding(m_slabs.front(), shapes.front()));
    for (int64_t layer = 0; layer < config.layers; ++layer) {
        const size_t slab = static_cast<size_t>(layer) + 1;
        const Queries queries = layer + 1 == config.layers ? Queries::scored : Queries::all;
        m_blocks.push_back(std::make_unique<Block>(config, SlabBinding(m_slabs[slab], shapes[slab]),
                                                   "blocks." + std::to_string(layer) + ".", queries));
    }
    const SlabBinding head(m_slabs.back(), shapes.back());
    m_head =
        std::make_unique<Head>(head, config.tiedHead ? m_embedding->weight() : head("head.weight"), config.normEpsilon);
}

void Transformer::initialise(uint64_t seed) {
    const NoiseKeys keys(seed);
    for (size_t number = 0; number < m_parameters.size(); ++number) {
        const NamedParameter& parameter = m_parameters[number];
        at::Tensor value = parameter.value;
        if (parameter.kind == ParameterKind::normWeight)
            value.fill_(1);
        else if (parameter.kind == ParameterKind::bias)
            value.zero_();
        else if (m_type == at::kDouble)
            fillNormal(value.data_ptr<double>(), value.numel(), deviation(m_config, parameter.kind), keys, number);
        else
            fillNormal(value.data_ptr<float>(), value.numel(), deviation(m_config, parameter.kind), keys, number);
    }
}

void Transformer::zeroGradients() {
    for (Slab& slab : m_slabs)
        if (slab.gradients.defined())
            slab.gradients.zero_();
}

}  // namespace unmask
