// SPDX-License-Identifier: Apache-2.0
// Mixture of experts in the whole chain: against the plain model with autograd for every router, with and without
// capacity; recomputing changes no bit; the arena is what the planner said; one expert is a dense model.
#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include "engine/model/expert_load.h"
#include "tests/engine/runtime/packed_batch.h"

namespace unmask {
namespace {

using namespace reference;

ModelConfig sparseConfig() {
    ModelConfig config;
    config.layers = 3;
    config.width = 24;
    config.heads = 4;
    config.feedForwardWidth = 20;
    config.vocabularySize = kVocabulary;
    config.sequenceLength = 13;
    config.initialStd = 0.3;
    config.experts = 5;
    config.expertsPerToken = 2;
    config.expertWidth = 12;
    config.denseLayers = 1;
    return config;
}

Batch packedBatch() {
    return reference::packedBatch({1, 2, 8, 9, 13, 17, 18, 20, 25});
}

struct Variant {
    const char* name;
    ModelConfig config;
};

Variant variant(const char* name, void (*change)(ModelConfig&)) {
    Variant v{name, sparseConfig()};
    change(v.config);
    return v;
}

class SparseGradientTest : public testing::TestWithParam<Variant> {};

TEST_P(SparseGradientTest, WholeModelMatchesAutograd) {
    at::manual_seed(41);
    const ModelConfig config = GetParam().config;
    Transformer model(config, at::kDouble);
    randomise(model, 5);
    Batch batch = packedBatch();
    batch.input.share = 0.25;
    const Model plain(model);
    const at::Tensor expected =
        plain.losses(batch.input.tokens, batch.input.segments, batch.input.scoredRows, batch.targets);
    const at::Tensor total = (expected * batch.weights).sum();
    (total + plain.balance() * batch.input.share).backward();

    ChainRunner runner(model, {.rows = 2, .length = 13});
    const StepLoss loss = runner.forwardBackward(batch.input, batch.targets, batch.weights);
    EXPECT_NEAR(loss.loss, total.item<double>(), 1e-11 * std::abs(total.item<double>()));
    expectClose(loss.rowLosses, expected, "row losses");
    for (const NamedParameter& parameter : model.namedParameters()) {
        const at::Tensor gradient = plain.gradient(parameter.name);
        if (gradient.defined())
            expectClose(parameter.gradient, gradient, parameter.name.c_str());
        else  // an expert nobody chose, or the bias of the choice
            EXPECT_EQ(parameter.gradient.abs().max().item<double>(), 0) << parameter.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, SparseGradientTest,
                         testing::Values(variant("softmax", [](ModelConfig&) {}),
                                         variant("sigmoid", [](ModelConfig& c) { c.router = RouterKind::sigmoid; }),
                                         variant("not_normalised", [](ModelConfig& c) { c.normalisedRoutes = false; }),
                                         variant("sigmoid_not_normalised",
                                                 [](ModelConfig& c) {
                                                     c.router = RouterKind::sigmoid;
                                                     c.normalisedRoutes = false;
                                                 }),
                                         variant("no_balance",
                                                 [](ModelConfig& c) { c.expertBalance = ExpertBalance::none; }),
                                         variant("strong_balance", [](ModelConfig& c) { c.balanceCoefficient = 10; }),
                                         variant("sigmoid_strong_balance",
                                                 [](ModelConfig& c) {
                                                     c.router = RouterKind::sigmoid;
                                                     c.balanceCoefficient = 10;
                                                 }),
                                         variant("bias", [](ModelConfig& c) { c.expertBalance = ExpertBalance::bias; }),
                                         variant("sigmoid_bias",
                                                 [](ModelConfig& c) {
                                                     c.router = RouterKind::sigmoid;
                                                     c.expertBalance = ExpertBalance::bias;
                                                 }),
                                         variant("capacity", [](ModelConfig& c) { c.expertCapacity = 1; }),
                                         variant("little_capacity",
                                                 [](ModelConfig& c) {
                                                     c.expertCapacity = 0.3;
                                                     c.router = RouterKind::sigmoid;
                                                 }),
                                         variant("shared", [](ModelConfig& c) { c.sharedExperts = 2; }),
                                         variant("one_a_token",
                                                 [](ModelConfig& c) {
                                                     c.expertsPerToken = 1;
                                                     c.normalisedRoutes = false;
                                                 }),
                                         variant("all_experts", [](ModelConfig& c) { c.expertsPerToken = 5; }),
                                         variant("many_experts", [](ModelConfig& c) { c.experts = 40; }),
                                         variant("one_layer",
                                                 [](ModelConfig& c) {
                                                     c.layers = 1;
                                                     c.denseLayers = 0;
                                                 }),
                                         variant("gelu_biases_layer_norm",
                                                 [](ModelConfig& c) {
                                                     c.activation = ActivationKind::gelu;
                                                     c.biases = true;
                                                     c.norm = NormKind::layerNorm;
                                                     c.sharedExperts = 1;
                                                 }),
                                         variant("everything",
                                                 [](ModelConfig& c) {
                                                     c.biases = true;
                                                     c.qkNorm = true;
                                                     c.sharedExperts = 3;
                                                     c.expertCapacity = 0.7;
                                                     c.router = RouterKind::sigmoid;
                                                     c.expertsPerToken = 3;
                                                     c.balanceCoefficient = 1;
                                                     c.denseLayers = 0;
                                                     c.tiedHead = true;
                                                 })),
                         [](const auto& test) { return test.param.name; });

std::vector<ModelConfig> differentConfigs() {
    std::vector<ModelConfig> configs(4, sparseConfig());
    configs[1].sharedExperts = 1;
    configs[1].expertCapacity = 0.5;
    configs[1].biases = true;
    configs[1].norm = NormKind::layerNorm;
    configs[2].expertWidth = 200;  // wider than the dense part
    configs[2].router = RouterKind::sigmoid;
    configs[2].denseLayers = 2;
    configs[3].denseLayers = 0;
    configs[3].sharedExperts = 9;
    configs[3].expertBalance = ExpertBalance::bias;
    return configs;
}

at::Tensor gradientsOf(const ModelConfig& config, at::ScalarType type, BlockPolicy policy) {
    at::manual_seed(42);
    Transformer model(config, type);
    randomise(model, 6);
    const Batch batch = packedBatch();
    ChainRunner runner(model, {.rows = 2, .length = 13, .policy = policy});
    runner.forwardBackward(batch.input, batch.targets, batch.weights);
    std::vector<at::Tensor> all;
    for (const Slab& slab : model.slabs())
        all.push_back(slab.gradients);
    return at::cat(all);
}

TEST(SparseChain, RecomputingChangesNoBit) {
    for (const ModelConfig& config : differentConfigs())
        for (const auto type : {at::kFloat, at::kDouble}) {
            const at::Tensor keep = gradientsOf(config, type, BlockPolicy::keep);
            EXPECT_GT(keep.abs().max().item<double>(), 0);
            EXPECT_TRUE(at::equal(keep, gradientsOf(config, type, BlockPolicy::recompute)));
            EXPECT_TRUE(at::equal(keep, gradientsOf(config, type, BlockPolicy::recomputeCheap)));
        }
}

TEST(SparseChain, ArenaIsWhatThePlannerSaid) {
    for (const ModelConfig& config : differentConfigs()) {
        Transformer model(config, at::kFloat);
        for (const BlockPolicy policy : {BlockPolicy::keep, BlockPolicy::recomputeCheap, BlockPolicy::recompute})
            for (const bool training : {true, false}) {
                const ChainRunner runner(model, {.rows = 4, .length = 13, .policy = policy, .training = training});
                StepShape shape{.rows = 4, .length = 13, .threads = at::get_num_threads(), .training = training};
                EXPECT_EQ(runner.arenaBytes(), stepMemory(config, shape, policy).total());
            }
    }
}

// Loss and gradients of a model with one expert are those of a dense model, bit for bit.
TEST(SparseChain, OneExpertIsADenseModel) {
    for (const RouterKind router : {RouterKind::softmax, RouterKind::sigmoid}) {
        at::manual_seed(43);
        ModelConfig config = sparseConfig();
        config.experts = config.expertsPerToken = 1;
        config.expertWidth = 0;  // that of the dense part
        config.router = router;
        ModelConfig dense = config;
        dense.experts = 0;
        Transformer sparseModel(config, at::kDouble), denseModel(dense, at::kDouble);
        randomise(sparseModel, 7);
        const auto denseName = [](std::string name) {
            const std::string part = "experts.0.";
            const size_t place = name.find(part);
            return place == std::string::npos ? name : name.erase(place, part.size());
        };
        std::map<std::string, at::Tensor> gradients;
        for (const NamedParameter& parameter : denseModel.namedParameters()) {
            gradients[parameter.name] = parameter.gradient;
            for (const NamedParameter& other : sparseModel.namedParameters())
                if (denseName(other.name) == parameter.name)
                    at::Tensor(parameter.value).copy_(other.value);
        }
        Batch batch = packedBatch();
        batch.input.segments =
            SegmentLayout::wholeRows(2, 13);  // padding, which is not routed, would change the products
        ChainRunner sparse(sparseModel, {.rows = 2, .length = 13}), plain(denseModel, {.rows = 2, .length = 13});
        EXPECT_EQ(sparse.forwardBackward(batch.input, batch.targets, batch.weights).loss,
                  plain.forwardBackward(batch.input, batch.targets, batch.weights).loss);
        for (const NamedParameter& parameter : sparseModel.namedParameters())
            if (gradients.count(denseName(parameter.name)) > 0) {
                EXPECT_TRUE(at::equal(parameter.gradient, gradients.at(denseName(parameter.name)))) << parameter.name;
            }
    }
}

TEST(SparseChain, LoadsAreCountedOncePerBackwardPass) {
    for (const BlockPolicy policy : {BlockPolicy::keep, BlockPolicy::recompute}) {
        at::manual_seed(44);
        Transformer model(sparseConfig(), at::kDouble);
        randomise(model, 8);
        const Batch batch = packedBatch();
        ChainRunner runner(model, {.rows = 2, .length = 13, .policy = policy});
        runner.rowLosses(batch.input, batch.targets);
        EXPECT_FALSE(expertFigures(model)) << "validation is not counted";
        runner.forwardBackward(batch.input, batch.targets, batch.weights);
        EXPECT_EQ(model.blocks()[0]->experts(), nullptr);
        const auto routes = [&](size_t block) {
            return model.blocks()[block]->experts()->load().narrow(0, 0, 5).sum().item<double>();
        };
        EXPECT_EQ(routes(1), 2 * 23);  // of the 26 rows three are padding
        EXPECT_EQ(routes(2), 2 * 9);   // the last block computes scored rows alone
    }
}

// Without capacity a sample's figures do not depend on what is packed beside it.
TEST(SparseChain, SamplesDoNotSeeTheirNeighbours) {
    at::manual_seed(45);
    Transformer model(sparseConfig(), at::kDouble);
    randomise(model, 9);
    const Batch batch = packedBatch();
    ChainRunner runner(model, {.rows = 2, .length = 13, .training = false});
    const at::Tensor all = runner.rowLosses(batch.input, batch.targets).clone();
    StepInput alone;
    alone.segments = {1, 4, {{0, 4}}};
    alone.tokens = batch.input.tokens.narrow(0, 7, 4);
    alone.scoredRows = at::tensor({1, 2}, at::TensorOptions().dtype(at::kLong));
    expectClose(runner.rowLosses(alone, batch.targets.narrow(0, 2, 2)), all.narrow(0, 2, 2), "alone");
}

}  // namespace
}  // namespace unmask
