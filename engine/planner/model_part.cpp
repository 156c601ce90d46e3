// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/model_part.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>

namespace unmask {

namespace {

// Products whose results are shared out (rows of the weight), and those whose inputs are (columns), after Megatron-LM
// (Shoeybi et al. 2019): one sum over the devices a half block, forward and backward.
constexpr std::array<std::string_view, 7> kRows{
    "attention.query", "attention.key", "attention.value", "feed_forward.gate", "feed_forward.up", "embedding", "head"};
constexpr std::array<std::string_view, 2> kColumns{"attention.output", "feed_forward.down"};
constexpr std::array<std::string_view, 2> kOverHeads{"attention.query_norm", "attention.key_norm"};

// "blocks.3.attention.query.weight" → "attention.query"
std::string_view ownerOf(std::string_view parameter) {
    constexpr std::string_view kBlocks = "blocks.";
    if (parameter.starts_with(kBlocks))
        parameter.remove_prefix(parameter.find('.', kBlocks.size()) + 1);
    return parameter.substr(0, parameter.rfind('.'));
}

template <size_t N>
bool isOneOf(std::string_view owner, const std::array<std::string_view, N>& list) {
    return std::find(list.begin(), list.end(), owner) != list.end();
}

// Cuts the parameter down to its part and says where that lies.
ParameterSlice cut(ParameterShape& parameter, const ModelPart& part) {
    ParameterSlice slice{.rows = parameter.rows, .columns = parameter.columns};
    if (part.tensorParts == 1)
        return slice;
    const auto share = [&](int dimension, int64_t& size) {
        size /= part.tensorParts;
        slice.dimension = dimension;
        slice.begin = size * part.tensorPart;
    };
    const std::string_view owner = ownerOf(parameter.name);
    if (isOneOf(owner, kRows))
        share(0, parameter.rows);
    else if (isOneOf(owner, kColumns) && parameter.columns > 0)
        share(1, parameter.columns);
    else
        slice.repeated = true;
    slice.partial = isOneOf(owner, kOverHeads);
    return slice;
}

bool holds(const ModelConfig& model, const ModelPart& part, size_t slab, size_t slabs) {
    if (slab == 0)
        return part.holdsEmbedding(model);
    if (slab + 1 == slabs)
        return part.head;
    const auto layer = static_cast<int64_t>(slab) - 1;
    return part.layers.empty() || std::binary_search(part.layers.begin(), part.layers.end(), layer);
}

}  // namespace

std::vector<int64_t> ModelPart::heldLayers(const ModelConfig& model) const {
    if (!layers.empty())
        return layers;
    std::vector<int64_t> all(static_cast<size_t>(model.layers));
    std::iota(all.begin(), all.end(), int64_t{0});
    return all;
}

std::vector<PartSlab> partSlabs(const ModelConfig& model, const ModelPart& part) {
    const std::vector<SlabShape> whole = slabShapes(model);
    std::vector<PartSlab> held;
    int64_t number = 0;
    for (size_t i = 0; i < whole.size(); ++i) {
        const bool here = holds(model, part, i, whole.size());
        PartSlab slab;
        std::vector<ParameterShape> parameters;
        for (ParameterShape parameter : whole[i].parameters) {
            ParameterSlice slice = cut(parameter, part);
            slice.number = number++;
            slab.slices.push_back(slice);
            parameters.push_back(std::move(parameter));
        }
        if (!here)
            continue;
        slab.shape = placeParameters(whole[i].name, std::move(parameters));
        held.push_back(std::move(slab));
    }
    return held;
}

}  // namespace unmask
