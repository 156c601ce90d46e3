// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/model_part.h"

#include <gtest/gtest.h>

#include <map>

namespace unmask {
namespace {

ModelConfig model() {
    ModelConfig config;
    config.layers = 4;
    config.width = 32;
    config.heads = 4;
    config.keyValueHeads = 2;
    config.feedForwardWidth = 48;
    config.vocabularySize = 128;
    config.biases = true;
    config.qkNorm = true;
    return config;
}

// Over all parts together every element of every parameter is held as often as it should be.
void expectWhole(const ModelConfig& config, const std::vector<std::vector<int64_t>>& stages, int64_t tensorParts) {
    std::map<std::string, int64_t> held;
    std::map<std::string, bool> repeated;
    for (size_t stage = 0; stage < stages.size(); ++stage)
        for (int64_t t = 0; t < tensorParts; ++t) {
            const ModelPart part{stages[stage], stage == 0, stage + 1 == stages.size(), tensorParts, t};
            for (const PartSlab& slab : partSlabs(config, part))
                for (size_t i = 0; i < slab.slices.size(); ++i) {
                    const ParameterShape& shape = slab.shape.parameters[i];
                    held[shape.name] += shape.elements();
                    repeated[shape.name] = slab.slices[i].repeated;
                    EXPECT_LE(shape.offset + shape.elements(), slab.shape.elements);
                }
        }
    int64_t number = 0;
    for (const SlabShape& slab : slabShapes(config))
        for (const ParameterShape& shape : slab.parameters) {
            const int64_t copies = repeated[shape.name] ? tensorParts : 1;
            EXPECT_EQ(held[shape.name], copies * shape.elements()) << shape.name;
            ++number;
        }
    EXPECT_EQ(static_cast<int64_t>(held.size()), number);
}

TEST(ModelPart, PartsTogetherAreTheWholeModel) {
    for (const int64_t tensorParts : {1, 2}) {
        expectWhole(model(), {{0, 1, 2, 3}}, tensorParts);
        expectWhole(model(), {{0, 1}, {2, 3}}, tensorParts);
        expectWhole(model(), {{0, 2}, {1, 3}}, tensorParts);
    }
}

TEST(ModelPart, AllOfItIsTheWholeModelsOwnList) {
    const std::vector<SlabShape> whole = slabShapes(model());
    const std::vector<PartSlab> part = partSlabs(model(), {});
    ASSERT_EQ(part.size(), whole.size());
    int64_t number = 0;
    for (size_t i = 0; i < whole.size(); ++i) {
        EXPECT_EQ(part[i].shape.elements, whole[i].elements);
        for (size_t j = 0; j < whole[i].parameters.size(); ++j) {
            EXPECT_EQ(part[i].shape.parameters[j].offset, whole[i].parameters[j].offset);
            EXPECT_EQ(part[i].slices[j].number, number++);
            EXPECT_EQ(part[i].slices[j].dimension, -1);
        }
    }
}

TEST(ModelPart, SlicesSayWhereTheyLie) {
    const std::vector<PartSlab> slabs = partSlabs(model(), {.tensorParts = 2, .tensorPart = 1});
    const PartSlab& block = slabs[1];
    const auto sliceOf = [&](const std::string& name) {
        for (size_t i = 0; i < block.slices.size(); ++i)
            if (block.shape.parameters[i].name == "blocks.0." + name)
                return block.slices[i];
        ADD_FAILURE() << name;
        return ParameterSlice{};
    };
    EXPECT_EQ(sliceOf("attention.query.weight").dimension, 0);
    EXPECT_EQ(sliceOf("attention.query.weight").begin, 16);
    EXPECT_EQ(sliceOf("attention.key.bias").begin, 8);
    EXPECT_EQ(sliceOf("attention.output.weight").dimension, 1);
    EXPECT_EQ(sliceOf("feed_forward.down.weight").begin, 24);
    EXPECT_TRUE(sliceOf("feed_forward.down.bias").repeated);
    EXPECT_TRUE(sliceOf("attention.norm.weight").repeated);
    EXPECT_FALSE(sliceOf("attention.norm.weight").partial);
    EXPECT_TRUE(sliceOf("attention.query_norm.weight").partial);
    EXPECT_EQ(slabs.front().slices[0].begin, 64);
}

TEST(ModelPart, ATiedHeadBringsTheEmbeddingAlong) {
    ModelConfig tied = model();
    tied.tiedHead = true;
    const std::vector<PartSlab> last = partSlabs(tied, {.layers = {2, 3}, .embedding = false});
    EXPECT_EQ(last.front().shape.name, "embedding");
    EXPECT_EQ(partSlabs(model(), {.layers = {2, 3}, .embedding = false}).front().shape.name, "blocks.2");
}

}  // namespace
}  // namespace unmask
