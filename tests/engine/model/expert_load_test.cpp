// SPDX-License-Identifier: Apache-2.0
#include "engine/model/expert_load.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {

ModelConfig sparseConfig(ExpertBalance balance) {
    ModelConfig config;
    config.layers = 3;
    config.width = 16;
    config.heads = 2;
    config.feedForwardWidth = 24;
    config.vocabularySize = 128;
    config.experts = 4;
    config.denseLayers = 1;
    config.expertBalance = balance;
    config.balanceCoefficient = 0.125;
    return config;
}

void setLoad(const Transformer& model, size_t block, std::vector<double> values) {
    at::Tensor load = model.blocks()[block]->experts()->load();
    load.copy_(at::tensor(values, at::TensorOptions().dtype(at::kDouble)));
}

TEST(ExpertLoad, FiguresNameTheBusiestExpertOfAllBlocks) {
    const Transformer model(sparseConfig(ExpertBalance::loss), at::kFloat);
    EXPECT_FALSE(expertFigures(model));
    setLoad(model, 1, {10, 10, 10, 10, 0, 1});
    setLoad(model, 2, {5, 25, 5, 5, 8, 1.5});
    const auto figures = expertFigures(model);
    ASSERT_TRUE(figures);
    EXPECT_DOUBLE_EQ(figures->largestShare, 25.0 / 40);
    EXPECT_DOUBLE_EQ(figures->droppedShare, 8.0 / 80);
    EXPECT_DOUBLE_EQ(figures->balanceLoss, 1.25);
    clearExpertLoads(model);
    EXPECT_FALSE(expertFigures(model));
}

TEST(ExpertLoad, BiasesGoAgainstTheLoad) {
    for (const auto type : {at::kFloat, at::kDouble}) {
        const Transformer model(sparseConfig(ExpertBalance::bias), type);
        setLoad(model, 1, {10, 2, 14, 14, 0, 1});
        setLoad(model, 2, {0, 0, 0, 0, 0, 0});
        stepExpertBiases(model);
        stepExpertBiases(model);
        const at::Tensor bias = model.blocks()[1]->experts()->bias().value.to(at::kDouble);
        EXPECT_EQ(bias[0].item<double>(), 0);  // as busy as the mean
        EXPECT_EQ(bias[1].item<double>(), 0.25);
        EXPECT_EQ(bias[3].item<double>(), -0.25);
        EXPECT_EQ(model.blocks()[2]->experts()->bias().value.abs().max().item<double>(), 0);
    }
}

TEST(ExpertLoad, OtherModelsHaveNoBias) {
    const Transformer model(sparseConfig(ExpertBalance::loss), at::kFloat);
    EXPECT_FALSE(model.blocks()[1]->experts()->bias().value.defined());
    setLoad(model, 1, {10, 2, 14, 14, 0, 1});
    stepExpertBiases(model);
    ModelConfig dense = sparseConfig(ExpertBalance::bias);
    dense.experts = 0;
    const Transformer plain(dense, at::kFloat);
    EXPECT_FALSE(expertFigures(plain));
    stepExpertBiases(plain);
}

}  // namespace
}  // namespace unmask
