// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/model_shape.h"

#include <algorithm>

namespace unmask {

namespace {

int64_t roundUp(int64_t value, int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// Whether a parameter starts where the one before ends, so that the model can multiply with both as one matrix.
enum class Place { aligned, joined };

// Collects one slab; matrices must be added before vectors.
class SlabBuilder {
 public:
    SlabBuilder(std::string name, std::string prefix) : m_name(std::move(name)), m_prefix(std::move(prefix)) {}

    void matrix(const std::string& name, int64_t rows, int64_t columns, Place place = Place::aligned,
                ParameterKind kind = ParameterKind::matrix) {
        m_parameters.push_back({m_prefix + name, kind, rows, columns, 0, place == Place::joined});
    }
    void vector(const std::string& name, int64_t size, ParameterKind kind, Place place = Place::aligned) {
        m_parameters.push_back({m_prefix + name, kind, size, 0, 0, place == Place::joined});
    }
    void norm(const std::string& name, int64_t size, NormKind kind) {
        vector(name + ".weight", size, ParameterKind::normWeight);
        if (kind == NormKind::layerNorm)
            vector(name + ".bias", size, ParameterKind::bias);
    }
    SlabShape take() { return placeParameters(std::move(m_name), std::move(m_parameters)); }

 private:
    std::string m_name;
    std::string m_prefix;
    std::vector<ParameterShape> m_parameters;
};

// One feed-forward part: of a dense block, of an expert, or of all shared experts, which stand side by side as one.
void addInnerMatrices(SlabBuilder& slab, const ModelConfig& model, const std::string& prefix, int64_t f) {
    const bool gated = model.activation == ActivationKind::swiglu;
    if (gated)
        slab.matrix(prefix + ".gate.weight", f, model.width);
    slab.matrix(prefix + ".up.weight", f, model.width, gated ? Place::joined : Place::aligned);
    slab.matrix(prefix + ".down.weight", model.width, f, Place::aligned, ParameterKind::residualProjection);
}

void addInnerBiases(SlabBuilder& slab, const ModelConfig& model, const std::string& prefix, int64_t f) {
    const bool gated = model.activation == ActivationKind::swiglu;
    if (gated)
        slab.vector(prefix + ".gate.bias", f, ParameterKind::bias);
    slab.vector(prefix + ".up.bias", f, ParameterKind::bias, gated ? Place::joined : Place::aligned);
    slab.vector(prefix + ".down.bias", model.width, ParameterKind::bias);
}

// add(prefix, width) for each feed-forward part of a block.
template <class Add>
void forEachInner(const ModelConfig& model, int64_t layer, Add&& add) {
    if (!model.isSparse(layer))
        return add(std::string("feed_forward"), model.feedForwardWidth);
    for (int64_t expert = 0; expert < model.experts; ++expert)
        add("feed_forward.experts." + std::to_string(expert), model.effectiveExpertWidth());
    if (model.sharedExperts > 0)
        add(std::string("feed_forward.shared"), model.sharedExperts * model.effectiveExpertWidth());
}

SlabShape blockShape(const ModelConfig& model, int64_t layer) {
    const int64_t c = model.width;
    const int64_t k = model.keyValueWidth();
    const std::string name = "blocks." + std::to_string(layer);
    SlabBuilder slab(name, name + ".");
    const auto residual = ParameterKind::residualProjection;
    slab.matrix("attention.query.weight", c, c);
    slab.matrix("attention.key.weight", k, c, Place::joined);
    slab.matrix("attention.value.weight", k, c, Place::joined);
    slab.matrix("attention.output.weight", c, c, Place::aligned, residual);
    if (model.isSparse(layer))
        slab.matrix("feed_forward.router.weight", model.experts, c);
    forEachInner(model, layer, [&](const std::string& prefix, int64_t f) { addInnerMatrices(slab, model, prefix, f); });
    slab.norm("attention.norm", c, model.norm);
    if (model.qkNorm) {
        slab.vector("attention.query_norm.weight", model.headWidth(), ParameterKind::normWeight);
        slab.vector("attention.key_norm.weight", model.headWidth(), ParameterKind::normWeight);
    }
    slab.norm("feed_forward.norm", c, model.norm);
    if (model.biases) {
        slab.vector("attention.query.bias", c, ParameterKind::bias);
        slab.vector("attention.key.bias", k, ParameterKind::bias, Place::joined);
        slab.vector("attention.value.bias", k, ParameterKind::bias, Place::joined);
        slab.vector("attention.output.bias", c, ParameterKind::bias);
        forEachInner(model, layer,
                     [&](const std::string& prefix, int64_t f) { addInnerBiases(slab, model, prefix, f); });
    }
    // No gradient reaches it: it follows the load of the experts (engine/model/expert_load.h).
    if (model.isSparse(layer) && model.expertBalance == ExpertBalance::bias)
        slab.vector("feed_forward.router.expert_bias", model.experts, ParameterKind::bias);
    return slab.take();
}

}  // namespace

SlabShape placeParameters(std::string name, std::vector<ParameterShape> parameters) {
    SlabShape slab{.name = std::move(name), .parameters = std::move(parameters)};
    int64_t end = 0;
    for (ParameterShape& parameter : slab.parameters) {
        parameter.offset = parameter.joined ? end : roundUp(end, kSlabAlignment);
        end = parameter.offset + parameter.elements();
        slab.elements = roundUp(end, kSlabAlignment);
        if (parameter.isMatrix())
            slab.matrixElements = slab.elements;
    }
    return slab;
}

std::vector<SlabShape> slabShapes(const ModelConfig& model) {
    std::vector<SlabShape> slabs;
    SlabBuilder embedding("embedding", "");
    embedding.matrix("embedding.weight", model.vocabularySize, model.width);
    slabs.push_back(embedding.take());
    for (int64_t layer = 0; layer < model.layers; ++layer)
        slabs.push_back(blockShape(model, layer));
    SlabBuilder head("head", "head.");
    if (!model.tiedHead)
        head.matrix("weight", model.vocabularySize, model.width);
    head.norm("norm", model.width, model.norm);
    slabs.push_back(head.take());
    return slabs;
}

ParameterCounts countParameters(const ModelConfig& model) {
    ParameterCounts counts;
    int64_t idle = 0;
    for (const SlabShape& slab : slabShapes(model)) {
        for (const ParameterShape& parameter : slab.parameters) {
            const int64_t n = parameter.elements();
            counts.total += n;
            if (parameter.name.find("norm") != std::string::npos)
                counts.norms += n;
            else if (slab.name == "embedding")
                counts.embedding += n;
            else if (slab.name == "head")
                counts.head += n;
            else if (parameter.name.find(".attention.") != std::string::npos)
                counts.attention += n;
            else
                counts.feedForward += n;
            const bool chosen = parameter.name.find(".experts.") != std::string::npos;
            idle += chosen ? n : 0;
        }
    }
    if (model.experts > 0)  // experts are of one size
        idle = idle / model.experts * (model.experts - std::min(model.expertsPerToken, model.experts));
    counts.active = counts.total - idle;
    return counts;
}

int64_t roundedVocabulary(int64_t tokenizerSize) {
    return roundUp(tokenizerSize, 128);
}

ModelConfig resolvedModel(const RunSpec& spec) {
    ModelConfig model = spec.model;
    if (model.vocabularySize == 0)
        model.vocabularySize = kByteVocabulary;  // bytes are the only tokenizer kind
    model.vocabularySize = roundedVocabulary(model.vocabularySize);
    return model;
}

double feedForwardWeightsPerToken(const ModelConfig& model, int64_t layer) {
    const double c = static_cast<double>(model.width);
    const double matrices = model.activation == ActivationKind::swiglu ? 3 : 2;
    if (!model.isSparse(layer))
        return matrices * c * static_cast<double>(model.feedForwardWidth);
    const int64_t experts = std::min(model.expertsPerToken, model.experts) + model.sharedExperts;
    return c * static_cast<double>(model.experts) +
           matrices * c * static_cast<double>(experts * model.effectiveExpertWidth());
}

double modelFlopsPerToken(const ModelConfig& model) {
    const double c = static_cast<double>(model.width);
    const double k = static_cast<double>(model.keyValueWidth());
    const double layers = static_cast<double>(model.layers);
    double matrices = layers * (2 * c * c + 2 * c * k) + static_cast<double>(model.vocabularySize) * c;
    for (int64_t layer = 0; layer < model.layers; ++layer)
        matrices += feedForwardWeightsPerToken(model, layer);
    return 6 * matrices + 12 * layers * c * static_cast<double>(model.sequenceLength);
}

}  // namespace unmask
