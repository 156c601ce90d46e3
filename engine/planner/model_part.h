// SPDX-License-Identifier: Apache-2.0
// The part of a model that one device holds: some of its layers, and of these some heads, columns and vocabulary rows.
// Names, initial values and checkpoints stay those of the whole model, so that any layout can go on where another was.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/planner/model_shape.h"

namespace unmask {

struct ModelPart {
    std::vector<int64_t> layers;  // ascending numbers of the whole model's blocks; empty means all
    bool embedding = true;        // tokens enter here
    bool head = true;             // losses come from here
    int64_t tensorParts = 1;      // devices that share each layer
    int64_t tensorPart = 0;       // which of them this is

    bool operator==(const ModelPart&) const = default;
    // Blocks held here, in order.
    std::vector<int64_t> heldLayers(const ModelConfig& model) const;
    // A tied head needs the embedding's matrix, too.
    bool holdsEmbedding(const ModelConfig& model) const { return embedding || (head && model.tiedHead); }
};

// Where a parameter held here lies in that of the whole model.
struct ParameterSlice {
    int64_t number = 0;     // in the whole model's list, which keys its initial values
    int64_t rows = 0;       // of the whole parameter
    int64_t columns = 0;    // 0 for a vector
    int dimension = -1;     // that is cut; −1: all of it is here
    int64_t begin = 0;      // in that dimension
    bool partial = false;   // every tensor part holds it and sees only its own share of the gradient
    bool repeated = false;  // every tensor part holds it
};

struct PartSlab {
    SlabShape shape;
    std::vector<ParameterSlice> slices;  // one a parameter of `shape`
};

// As slabShapes, of a part. The sizes must divide (layout rules of the planner).
std::vector<PartSlab> partSlabs(const ModelConfig& model, const ModelPart& part);

}  // namespace unmask
