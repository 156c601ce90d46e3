// SPDX-License-Identifier: Apache-2.0
// Counts against the published sizes of the presets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/planner/model_shape.h"
#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

TEST(ModelShape, PresetsHaveTheirPublishedSizes) {
    EXPECT_EQ(countParameters(shape(6, 512, 1408)).total, 70'785'536);
    EXPECT_EQ(countParameters(shape(12, 768, 2048)).total, 162'220'800);
    EXPECT_EQ(countParameters(shape(24, 1024, 2816)).total, 411'354'112);
}

TEST(ModelShape, PartsSumToTheTotal) {
    ModelConfig model = shape(3, 96, 100);
    model.heads = 6;
    model.keyValueHeads = 2;
    model.norm = NormKind::layerNorm;
    model.biases = true;
    model.qkNorm = true;
    const ParameterCounts counts = countParameters(model);
    EXPECT_EQ(counts.embedding + counts.attention + counts.feedForward + counts.norms + counts.head, counts.total);
    EXPECT_EQ(counts.attention, 3 * (2 * 96 * 96 + 2 * 32 * 96 + 96 + 32 + 32 + 96));
    EXPECT_EQ(counts.feedForward, 3 * (3 * 96 * 100 + 100 + 100 + 96));
    EXPECT_EQ(counts.norms, 3 * (2 * 2 * 96 + 2 * 16) + 2 * 96);
    model.tiedHead = true;
    EXPECT_EQ(countParameters(model).head, 0);
}

TEST(ModelShape, SlabsHoldMatricesFirstAndJoinNeighbours) {
    ModelConfig model = shape(1, 36, 10);
    model.heads = 3;
    model.biases = true;
    model.qkNorm = true;
    std::set<std::string> names;
    for (const SlabShape& slab : slabShapes(model)) {
        int64_t end = 0;
        for (const ParameterShape& parameter : slab.parameters) {
            EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
            EXPECT_GE(parameter.offset, end);
            EXPECT_EQ(parameter.isMatrix(), parameter.offset < slab.matrixElements) << parameter.name;
            const bool joined = parameter.name.find("key.") != std::string::npos ||
                                parameter.name.find("value.") != std::string::npos ||
                                parameter.name.find("up.") != std::string::npos;
            if (joined)
                EXPECT_EQ(parameter.offset, end) << parameter.name;
            else
                EXPECT_EQ(parameter.offset % kSlabAlignment, 0) << parameter.name;
            end = parameter.offset + parameter.elements();
        }
        EXPECT_LE(end, slab.elements);
    }
}

ModelConfig sparseShape() {
    ModelConfig model = shape(4, 512, 1408);
    model.experts = 8;
    model.expertsPerToken = 2;
    model.expertWidth = 256;
    model.sharedExperts = 1;
    model.denseLayers = 1;
    return model;
}

TEST(ModelShape, ATokenGoesThroughTheExpertsChosenForIt) {
    ModelConfig model = sparseShape();
    const int64_t expert = 3 * 512 * 256;
    const ParameterCounts counts = countParameters(model);
    EXPECT_EQ(counts.feedForward, 3 * 512 * 1408 + 3 * (8 * 512 + 9 * expert));
    EXPECT_EQ(counts.total - counts.active, 3 * 6 * expert);
    EXPECT_EQ(counts.embedding + counts.attention + counts.feedForward + counts.norms + counts.head, counts.total);
    model.biases = true;
    EXPECT_EQ(countParameters(model).feedForward - counts.feedForward, (1408 * 2 + 512) + 3 * 9 * (2 * 256 + 512));
    model.biases = false;
    model.expertBalance = ExpertBalance::bias;
    EXPECT_EQ(countParameters(model).feedForward - counts.feedForward, 3 * 8);
    model.experts = 0;
    EXPECT_EQ(countParameters(model).active, countParameters(model).total);
}

TEST(ModelShape, SparseSlabsHoldRouterExpertsAndSharedPart) {
    ModelConfig model = sparseShape();
    model.expertBalance = ExpertBalance::bias;
    const std::vector<SlabShape> slabs = slabShapes(model);
    const auto has = [&](size_t slab, const std::string& name, int64_t rows, int64_t columns) {
        for (const ParameterShape& parameter : slabs[slab].parameters)
            if (parameter.name == name)
                return parameter.rows == rows && parameter.columns == columns;
        return false;
    };
    EXPECT_TRUE(has(1, "blocks.0.feed_forward.up.weight", 1408, 512));
    EXPECT_FALSE(has(1, "blocks.0.feed_forward.router.weight", 8, 512));
    EXPECT_TRUE(has(2, "blocks.1.feed_forward.router.weight", 8, 512));
    EXPECT_TRUE(has(2, "blocks.1.feed_forward.experts.7.gate.weight", 256, 512));
    EXPECT_TRUE(has(4, "blocks.3.feed_forward.experts.0.down.weight", 512, 256));
    EXPECT_TRUE(has(4, "blocks.3.feed_forward.shared.up.weight", 256, 512));
    EXPECT_TRUE(has(4, "blocks.3.feed_forward.router.expert_bias", 8, 0));
    EXPECT_FALSE(has(4, "blocks.3.feed_forward.up.weight", 1408, 512));
}

TEST(ModelShape, FlopsCountOnlyTheExpertsThatATokenGoesThrough) {
    const ModelConfig model = sparseShape();
    EXPECT_DOUBLE_EQ(feedForwardWeightsPerToken(model, 0), 3.0 * 512 * 1408);
    EXPECT_DOUBLE_EQ(feedForwardWeightsPerToken(model, 1), 8.0 * 512 + 3 * 3.0 * 512 * 256);
    const double matrices = 4.0 * 4 * 512 * 512 + 3.0 * 512 * 1408 + 3 * (8.0 * 512 + 9.0 * 512 * 256);
    EXPECT_DOUBLE_EQ(modelFlopsPerToken(model), 6 * (matrices + 50304.0 * 512) + 12.0 * 4 * 512 * 1024);
}

TEST(ModelShape, VocabularyComesFromTheTokenizerAndIsRounded) {
    RunSpec spec = smallSpec();
    EXPECT_EQ(resolvedModel(spec).vocabularySize, 384);
    spec.model.vocabularySize = 50258;
    EXPECT_EQ(resolvedModel(spec).vocabularySize, 50304);
}

TEST(ModelShape, FlopsCountTheHeadAndBidirectionalAttention) {
    const ModelConfig model = shape(6, 512, 1408);
    const double matrices = 6.0 * (4 * 512 * 512 + 3 * 512 * 1408) + 50304.0 * 512;
    EXPECT_DOUBLE_EQ(modelFlopsPerToken(model), 6 * matrices + 12.0 * 6 * 512 * 1024);
}

}  // namespace
}  // namespace unmask
