// SPDX-License-Identifier: Apache-2.0
#include "engine/model/transformer.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
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
    require(config.experts == 0 || config.expertsPerToken <= config.experts,
            std::to_string(config.expertsPerToken) + " experts a token are more than the " +
                std::to_string(config.experts) + " experts");
    require(config.vocabularySize >= 1, "the vocabulary size has not been resolved");
}

// A block quantises input, weight and gradient of four products; in the last one the queries have a product of their
// own.
int64_t quantisedTensors(const ModelConfig& config) {
    constexpr int64_t kTensors = 3;
    return kTensors * (4 * config.layers + 1);
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

template <class T>
void initialiseNormal(const at::Tensor& exact, double deviation, const NoiseKeys& keys, uint64_t parameter) {
    const at::Tensor host =
        exact.is_cpu() && exact.scalar_type() == c10::CppTypeToScalarType<T>::value
            ? exact
            : at::empty(exact.sizes(), at::TensorOptions().dtype(c10::CppTypeToScalarType<T>::value));
    fillNormal(host.data_ptr<T>(), host.numel(), deviation, keys, parameter);
    if (!host.is_same(exact))
        exact.copy_(host);
}

}  // namespace

Transformer::Transformer(const ModelConfig& config, const ModelStorage& storage)
    : m_config(config), m_storage(storage) {
    checkConfig(config);
    if (config.experts > 0 && !storage.device.is_cpu())
        throw Error{ErrorCode::badInput, "[model] experts compute on the CPU only in this version"};
    const std::vector<SlabShape> shapes = slabShapes(config);
    takeSlabs(shapes);
    for (size_t i = 0; i < shapes.size(); ++i) {
        const SlabShape& shape = shapes[i];
        const SlabBinding binding(m_slabs[i], shape);
        for (const ParameterShape& parameter : shape.parameters) {
            const Weight weight = binding(parameter.name);
            const at::Tensor& masters = m_slabs[i].masters;
            const at::Tensor exact =
                masters.defined() ? masters.narrow(0, parameter.offset, weight.value.numel()).view(weight.value.sizes())
                                  : weight.value;
            m_parameters.push_back({parameter.name, weight.value, weight.gradient, exact, static_cast<int64_t>(i),
                                    parameter.offset, parameter.kind});
        }
    }
    if (storage.fp8)
        m_fp8 = std::make_unique<Fp8Scales>(quantisedTensors(config), storage.device);
    m_embedding = std::make_unique<Embedding>(SlabBinding(m_slabs.front(), shapes.front()));
    for (int64_t layer = 0; layer < config.layers; ++layer) {
        const size_t slab = static_cast<size_t>(layer) + 1;
        const Queries queries = layer + 1 == config.layers ? Queries::scored : Queries::all;
        m_blocks.push_back(std::make_unique<Block>(config, SlabBinding(m_slabs[slab], shapes[slab], m_fp8.get()),
                                                   "blocks." + std::to_string(layer) + ".", queries));
    }
    const SlabBinding head(m_slabs.back(), shapes.back());
    m_head =
        std::make_unique<Head>(head, config.tiedHead ? m_embedding->weight() : head("head.weight"), config.normEpsilon);
}

// All slabs of a kind are neighbours in one allocation, so that zeroing their gradients is one pass.
void Transformer::takeSlabs(const std::vector<SlabShape>& shapes) {
    int64_t elements = 0;
    for (const SlabShape& shape : shapes)
        elements += shape.elements;
    const auto zeros = [&](at::ScalarType type) {
        return at::zeros({elements}, at::TensorOptions().dtype(type).device(m_storage.device));
    };
    const at::Tensor values = zeros(m_storage.type);
    const at::Tensor gradients =
        m_storage.gradients == Gradients::allocate ? zeros(m_storage.gradientType) : at::Tensor{};
    const bool rounded = m_storage.masters && c10::elementSize(m_storage.type) < c10::elementSize(at::kFloat);
    const at::Tensor masters = rounded ? zeros(at::kFloat) : at::Tensor{};
    int64_t offset = 0;
    for (const SlabShape& shape : shapes) {
        const auto part = [&](const at::Tensor& all) {
            return all.defined() ? all.narrow(0, offset, shape.elements) : at::Tensor{};
        };
        m_slabs.push_back({shape.name, part(values), part(gradients), shape.matrixElements, part(masters)});
        offset += shape.elements;
    }
}

void Transformer::initialise(uint64_t seed) {
    const NoiseKeys keys(seed);
    for (size_t number = 0; number < m_parameters.size(); ++number) {
        const NamedParameter& parameter = m_parameters[number];
        if (parameter.kind == ParameterKind::normWeight)
            parameter.exact.fill_(1);
        else if (parameter.kind == ParameterKind::bias)
            parameter.exact.zero_();
        else if (parameter.exact.scalar_type() == at::kDouble)
            initialiseNormal<double>(parameter.exact, deviation(m_config, parameter.kind), keys, number);
        else
            initialiseNormal<float>(parameter.exact, deviation(m_config, parameter.kind), keys, number);
    }
    roundMasters();
}

void Transformer::roundMasters() {
    for (Slab& slab : m_slabs)
        if (slab.masters.defined())
            slab.values.copy_(slab.masters);
}

void Transformer::zeroGradients() {
    for (Slab& slab : m_slabs)
        if (slab.gradients.defined())
            slab.gradients.zero_();
}

}  // namespace unmask
