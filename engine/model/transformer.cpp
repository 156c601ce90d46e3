// SPDX-License-Identifier: Apache-2.0
#include "engine/model/transformer.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

void checkPart(const ModelConfig& config, const ModelPart& part) {
    const auto divides = [&](int64_t whole, const std::string& what) {
        if (whole % part.tensorParts != 0)
            throw Error{ErrorCode::badInput, "[model] " + std::to_string(part.tensorParts) +
                                                 " devices cannot share the " + std::to_string(whole) + " " + what +
                                                 " evenly"};
    };
    divides(config.heads, "attention heads");
    divides(config.effectiveKeyValueHeads(), "key and value heads");
    divides(config.feedForwardWidth, "feed-forward columns");
    divides(config.vocabularySize, "ids of the vocabulary");
    if ((part.tensorParts > 1 || !part.layers.empty()) && config.experts > 0)
        throw Error{ErrorCode::badInput, "[model] layers with experts are not shared between devices in this version"};
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

struct NormalSource {
    const NoiseKeys& keys;
    uint64_t parameter;
    double deviation;
};

// Elements [first, first + count) of the whole parameter. The two of a pair are drawn together.
template <class T>
void fillNormal(T* values, int64_t first, int64_t count, const NormalSource& source) {
    T* const origin = values - first;
    const int64_t last = first + count;
    at::parallel_for(first / 2, (last + 1) / 2, 4096, [&](int64_t begin, int64_t end) {
        for (int64_t pair = begin; pair < end; ++pair) {
            const NormalPair normals = initialNormals(source.keys, source.parameter, static_cast<uint64_t>(pair));
            if (2 * pair >= first)
                origin[2 * pair] = static_cast<T>(source.deviation * normals.first);
            if (2 * pair + 1 < last)
                origin[2 * pair + 1] = static_cast<T>(source.deviation * normals.second);
        }
    });
}

// A slice of columns has a run of elements in each row, any other is one run.
template <class T>
void fillSlice(T* values, int64_t rows, int64_t columns, const ParameterSlice& slice, const NormalSource& source) {
    if (slice.dimension != 1) {
        const int64_t width = std::max<int64_t>(columns, 1);
        return fillNormal(values, slice.dimension == 0 ? slice.begin * width : 0, rows * width, source);
    }
    for (int64_t row = 0; row < rows; ++row)
        fillNormal(values + row * columns, row * slice.columns + slice.begin, columns, source);
}

template <class T>
void initialiseNormal(const NamedParameter& parameter, const NormalSource& source) {
    const at::Tensor& exact = parameter.exact;
    const at::Tensor host =
        exact.is_cpu() && exact.scalar_type() == c10::CppTypeToScalarType<T>::value
            ? exact
            : at::empty(exact.sizes(), at::TensorOptions().dtype(c10::CppTypeToScalarType<T>::value));
    fillSlice(host.data_ptr<T>(), exact.size(0), exact.dim() == 2 ? exact.size(1) : 0, parameter.slice, source);
    if (!host.is_same(exact))
        exact.copy_(host);
}

}  // namespace

Transformer::Transformer(const ModelConfig& config, const ModelStorage& storage)
    : m_config(config), m_storage(storage) {
    checkConfig(config);
    if (config.experts > 0 && !storage.device.is_cpu())
        throw Error{ErrorCode::badInput, "[model] experts compute on the CPU only in this version"};
    checkPart(config, storage.part);
    std::vector<SlabShape> shapes;
    const std::vector<PartSlab> held = partSlabs(config, storage.part);
    for (const PartSlab& slab : held)
        shapes.push_back(slab.shape);
    takeSlabs(shapes);
    for (size_t i = 0; i < shapes.size(); ++i) {
        const SlabShape& shape = shapes[i];
        const SlabBinding binding(m_slabs[i], shape);
        for (size_t j = 0; j < shape.parameters.size(); ++j) {
            const ParameterShape& parameter = shape.parameters[j];
            const Weight weight = binding(parameter.name);
            const at::Tensor& masters = m_slabs[i].masters;
            const at::Tensor exact =
                masters.defined() ? masters.narrow(0, parameter.offset, weight.value.numel()).view(weight.value.sizes())
                                  : weight.value;
            m_parameters.push_back({parameter.name, weight.value, weight.gradient, exact, static_cast<int64_t>(i),
                                    parameter.offset, parameter.kind, held[i].slices[j]});
        }
    }
    if (storage.fp8)
        m_fp8 = std::make_unique<Fp8Scales>(quantisedTensors(config), storage.device);
    m_firstBlockSlab = storage.part.holdsEmbedding(config) ? 1 : 0;
    if (m_firstBlockSlab == 1)
        m_embedding = std::make_unique<Embedding>(SlabBinding(m_slabs.front(), shapes.front()));
    for (const int64_t layer : storage.part.heldLayers(config)) {
        const size_t slab = slabOfBlock(m_blocks.size());
        const Queries queries = layer + 1 == config.layers ? Queries::scored : Queries::all;
        m_blocks.push_back(std::make_unique<Block>(config, SlabBinding(m_slabs[slab], shapes[slab], m_fp8.get()),
                                                   "blocks." + std::to_string(layer) + ".", queries));
    }
    if (!storage.part.head)
        return;
    const SlabBinding head(m_slabs.back(), shapes.back());
    m_head =
        std::make_unique<Head>(head, config.tiedHead ? m_embedding->weight() : head("head.weight"), config.normEpsilon);
}

namespace {

void roundMaster(const Slab& slab) {
    if (slab.masters.defined())
        slab.values.copy_(slab.masters);
}

// All slabs of a kind are neighbours in one allocation, so that zeroing their gradients is one pass. With windows,
// blocks of even and of odd number share a place each.
class SlabMemory {
 public:
    SlabMemory(std::vector<int64_t> lengths, bool windows) : m_lengths(std::move(lengths)) {
        int64_t end = 0;
        if (!windows || m_lengths.size() < 4) {
            for (const int64_t length : m_lengths)
                m_offsets.push_back(std::exchange(end, end + length));
        } else {
            const int64_t window = *std::max_element(m_lengths.begin() + 1, m_lengths.end() - 1);
            m_offsets.push_back(2 * window);
            for (size_t block = 1; block + 1 < m_lengths.size(); ++block)
                m_offsets.push_back(block % 2 == 1 ? 0 : window);
            m_offsets.push_back(2 * window + m_lengths.front());
            end = m_offsets.back() + m_lengths.back();
        }
        m_elements = end;
    }
    at::Tensor take(at::TensorOptions options) const { return at::zeros({m_elements}, options); }
    at::Tensor part(const at::Tensor& all, size_t slab) const {
        return all.defined() ? all.narrow(0, m_offsets[slab], m_lengths[slab]) : at::Tensor{};
    }

 private:
    std::vector<int64_t> m_lengths, m_offsets;
    int64_t m_elements = 0;
};

}  // namespace

void Transformer::takeSlabs(const std::vector<SlabShape>& shapes) {
    std::vector<int64_t> lengths;
    const int64_t multiple = m_storage.slabMultiple;
    for (const SlabShape& shape : shapes)
        lengths.push_back((shape.elements + multiple - 1) / multiple * multiple);
    const auto options = [&](at::ScalarType type) { return at::TensorOptions().dtype(type).device(m_storage.device); };
    const SlabMemory valueMemory(lengths, m_storage.valueWindows);
    const SlabMemory gradientMemory(lengths, m_storage.gradientWindows);
    const at::Tensor values = valueMemory.take(options(m_storage.type));
    const at::Tensor gradients = m_storage.gradients == Gradients::allocate
                                     ? gradientMemory.take(options(m_storage.gradientType))
                                     : at::Tensor{};
    const bool rounded = m_storage.masters && c10::elementSize(m_storage.type) < c10::elementSize(at::kFloat);
    const at::Tensor masters = rounded ? valueMemory.take(options(at::kFloat)) : at::Tensor{};
    for (size_t i = 0; i < shapes.size(); ++i)
        m_slabs.push_back({shapes[i].name, valueMemory.part(values, i), gradientMemory.part(gradients, i),
                           shapes[i].matrixElements, valueMemory.part(masters, i)});
}

void Transformer::initialise(uint64_t seed, const std::function<void(size_t slab)>& filled) {
    const NoiseKeys keys(seed);
    for (size_t number = 0; number < m_parameters.size(); ++number) {
        const NamedParameter& parameter = m_parameters[number];
        const NormalSource source{keys, static_cast<uint64_t>(parameter.slice.number),
                                  deviation(m_config, parameter.kind)};
        if (parameter.kind == ParameterKind::normWeight)
            parameter.exact.fill_(1);
        else if (parameter.kind == ParameterKind::bias)
            parameter.exact.zero_();
        else if (parameter.exact.scalar_type() == at::kDouble)
            initialiseNormal<double>(parameter, source);
        else
            initialiseNormal<float>(parameter, source);
        const bool last = number + 1 == m_parameters.size() || m_parameters[number + 1].slab != parameter.slab;
        if (!last)
            continue;
        const auto slab = static_cast<size_t>(parameter.slab);
        roundMaster(m_slabs[slab]);
        if (filled)
            filled(slab);
    }
}

void Transformer::roundMasters() {
    for (const Slab& slab : m_slabs)
        roundMaster(slab);
}

void Transformer::zeroGradients() {
    for (Slab& slab : m_slabs)
        if (slab.gradients.defined())
            slab.gradients.zero_();
}

}  // namespace unmask
