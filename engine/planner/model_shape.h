// SPDX-License-Identifier: Apache-2.0
// The one list of a model's parameters: names, shapes and places in the flat slabs. The model builds itself from it,
// the planner counts with it, checkpoints store its slices. In each slab the matrices come first, since weight decay
// acts on them alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/protocol/run_spec.h"

namespace unmask {

enum class ParameterKind {
    matrix,              // normal(0, initial_std)
    residualProjection,  // normal(0, initial_std / sqrt(2 · layers))
    normWeight,          // ones
    bias,                // zeros
};

struct ParameterShape {
    std::string name;  // "blocks.0.attention.query.weight"
    ParameterKind kind;
    int64_t rows;
    int64_t columns;  // 0 for a vector of `rows`
    int64_t offset;  // in elements, inside its slab; query ‖ key ‖ value and gate ‖ up are neighbours without a gap
    bool joined = false;  // begins where the one before ends

    bool isMatrix() const { return kind == ParameterKind::matrix || kind == ParameterKind::residualProjection; }
    int64_t elements() const { return columns == 0 ? rows : rows * columns; }
};

constexpr int64_t kSlabAlignment = 16;  // elements, of each matrix and group; gaps are zeros and stay zeros

struct SlabShape {
    std::string name;  // "embedding", "blocks.0", …, "head"
    std::vector<ParameterShape> parameters;
    int64_t elements = 0;        // gaps included
    int64_t matrixElements = 0;  // leading part that weight decay acts on
};

// Offsets and sizes of a slab that holds these parameters in this order, by their `joined`.
SlabShape placeParameters(std::string name, std::vector<ParameterShape> parameters);

// One slab for the embedding, one a block, one for the final norm and the head. Vocabulary must be resolved (> 0).
std::vector<SlabShape> slabShapes(const ModelConfig& model);

struct ParameterCounts {
    int64_t embedding = 0;
    int64_t attention = 0;    // all blocks, biases included
    int64_t feedForward = 0;  // all blocks, biases, routers and every expert included
    int64_t norms = 0;
    int64_t head = 0;  // 0 when tied
    int64_t total = 0;
    int64_t active = 0;  // what one token goes through: of the experts only those chosen for it
};
ParameterCounts countParameters(const ModelConfig& model);

// The model with vocabulary_size resolved: 0 becomes the tokenizer's size rounded up to a multiple of 128.
constexpr int64_t kByteVocabulary = 259;  // 256 bytes, end of document, padding, MASK
int64_t roundedVocabulary(int64_t tokenizerSize);
ModelConfig resolvedModel(const RunSpec& spec);

// Weights of a block's feed-forward part that one token is multiplied with; in a sparse block those of the router and
// of the experts it goes through.
double feedForwardWeightsPerToken(const ModelConfig& model, int64_t layer);

// Forward and backward: 6 · matrix parameters that a token goes through (head counted for every token, embedding not)
// + 12 · layers · width · length, since attention is not causal. The figure that MFU is computed with.
double modelFlopsPerToken(const ModelConfig& model);

}  // namespace unmask
