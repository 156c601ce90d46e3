// SPDX-License-Identifier: Apache-2.0
// The chain against the plain model with autograd for every variant, and what the runner promises: recomputing changes
// no bit, the arena is what the planner said, batches do not influence each other.
#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include "engine/base/error.h"
#include "tests/engine/runtime/packed_batch.h"

namespace unmask {
namespace {

using namespace reference;

ModelConfig smallConfig() {
    ModelConfig config;
    config.layers = 2;
    config.width = 24;
    config.heads = 4;
    config.feedForwardWidth = 20;
    config.vocabularySize = kVocabulary;
    config.sequenceLength = 13;
    config.initialStd = 0.3;
    return config;
}

Batch packedBatch() {
    return reference::packedBatch({1, 2, 5, 8, 9, 13, 17, 18, 25});
}

struct Variant {
    const char* name;
    ModelConfig config;
};

Variant variant(const char* name, void (*change)(ModelConfig&)) {
    Variant v{name, smallConfig()};
    change(v.config);
    return v;
}

class GradientTest : public testing::TestWithParam<Variant> {};

TEST_P(GradientTest, WholeModelMatchesAutograd) {
    at::manual_seed(21);
    const ModelConfig config = GetParam().config;
    Transformer model(config, at::kDouble);
    randomise(model, 5);
    const Batch batch = packedBatch();
    const Model plain(model);
    const at::Tensor expected =
        plain.losses(batch.input.tokens, batch.input.segments, batch.input.scoredRows, batch.targets);
    const at::Tensor total = (expected * batch.weights).sum();
    total.backward();

    ChainRunner runner(model, {.rows = 2, .length = 13});
    const StepLoss loss = runner.forwardBackward(batch.input, batch.targets, batch.weights);
    EXPECT_NEAR(loss.loss, total.item<double>(), 1e-11 * std::abs(total.item<double>()));
    expectClose(loss.rowLosses, expected, "row losses");
    for (const NamedParameter& parameter : model.namedParameters())
        expectClose(parameter.gradient, plain.gradient(parameter.name), parameter.name.c_str());
}

INSTANTIATE_TEST_SUITE_P(Variants, GradientTest,
                         testing::Values(variant("plain", [](ModelConfig&) {}),
                                         variant("one_layer", [](ModelConfig& c) { c.layers = 1; }),
                                         variant("three_layers", [](ModelConfig& c) { c.layers = 3; }),
                                         variant("layer_norm", [](ModelConfig& c) { c.norm = NormKind::layerNorm; }),
                                         variant("gelu", [](ModelConfig& c) { c.activation = ActivationKind::gelu; }),
                                         variant("biases", [](ModelConfig& c) { c.biases = true; }),
                                         variant("qk_norm", [](ModelConfig& c) { c.qkNorm = true; }),
                                         variant("grouped", [](ModelConfig& c) { c.keyValueHeads = 2; }),
                                         variant("tied", [](ModelConfig& c) { c.tiedHead = true; }),
                                         variant("odd_sizes",
                                                 [](ModelConfig& c) {
                                                     c.width = 18;
                                                     c.heads = 3;
                                                     c.keyValueHeads = 1;
                                                     c.feedForwardWidth = 11;
                                                 }),
                                         variant("everything",
                                                 [](ModelConfig& c) {
                                                     c.layers = 3;
                                                     c.norm = NormKind::layerNorm;
                                                     c.activation = ActivationKind::gelu;
                                                     c.biases = true;
                                                     c.qkNorm = true;
                                                     c.keyValueHeads = 2;
                                                     c.tiedHead = true;
                                                 }),
                                         variant("gated_with_biases",
                                                 [](ModelConfig& c) {
                                                     c.biases = true;
                                                     c.qkNorm = true;
                                                     c.feedForwardWidth = 13;
                                                 })),
                         [](const auto& test) { return test.param.name; });

// All gradients of one step, one tensor.
at::Tensor gradientsOf(const ModelConfig& config, at::ScalarType type, BlockPolicy policy) {
    at::manual_seed(22);
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

TEST(ChainRunner, RecomputingChangesNoBit) {
    ModelConfig config = smallConfig();
    config.layers = 3;
    for (const bool rich : {false, true}) {
        config.qkNorm = rich;
        config.biases = rich;
        config.norm = rich ? NormKind::layerNorm : NormKind::rmsNorm;
        for (const auto type : {at::kFloat, at::kDouble}) {
            const at::Tensor keep = gradientsOf(config, type, BlockPolicy::keep);
            EXPECT_TRUE(at::equal(keep, gradientsOf(config, type, BlockPolicy::recompute)));
            EXPECT_TRUE(at::equal(keep, gradientsOf(config, type, BlockPolicy::recomputeCheap)));
        }
    }
}

TEST(ChainRunner, SameThreadsSameBits) {
    const at::Tensor once = gradientsOf(smallConfig(), at::kFloat, BlockPolicy::keep);
    EXPECT_TRUE(at::equal(once, gradientsOf(smallConfig(), at::kFloat, BlockPolicy::keep)));
}

TEST(ChainRunner, GradientsAccumulateOverMicroBatches) {
    at::manual_seed(23);
    Transformer model(smallConfig(), at::kDouble);
    model.initialise(7);
    const Batch batch = packedBatch();
    ChainRunner runner(model, {.rows = 2, .length = 13});
    runner.forwardBackward(batch.input, batch.targets, batch.weights);
    const at::Tensor once = model.slabs()[1].gradients.clone();
    runner.forwardBackward(batch.input, batch.targets, batch.weights);
    expectClose(model.slabs()[1].gradients, once * 2, "twice");
    model.zeroGradients();
    EXPECT_EQ(model.slabs()[1].gradients.abs().max().item<double>(), 0);
}

TEST(ChainRunner, ArenaIsWhatThePlannerSaid) {
    ModelConfig config = smallConfig();
    for (const bool rich : {false, true}) {
        config.qkNorm = rich;
        config.norm = rich ? NormKind::layerNorm : NormKind::rmsNorm;
        config.layers = rich ? 3 : 1;
        Transformer model(config, at::kFloat);
        for (const BlockPolicy policy : {BlockPolicy::keep, BlockPolicy::recomputeCheap, BlockPolicy::recompute}) {
            for (const bool training : {true, false}) {
                const ChainRunner runner(model, {.rows = 4, .length = 13, .policy = policy, .training = training});
                StepShape shape{.rows = 4, .length = 13, .threads = at::get_num_threads(), .training = training};
                EXPECT_EQ(runner.arenaBytes(), stepMemory(config, shape, policy).total());
            }
        }
    }
}

TEST(ChainRunner, ValidationSeesTheLossesOfTraining) {
    at::manual_seed(24);
    Transformer model(smallConfig(), at::kDouble);
    model.initialise(8);
    const Batch batch = packedBatch();
    const VocabularyLimit limit{33, 32};
    ChainRunner training(model, {.rows = 2, .length = 13, .vocabulary = limit});
    ChainRunner inference(model, {.rows = 2, .length = 13, .training = false, .vocabulary = limit});
    const at::Tensor losses = training.forwardBackward(batch.input, batch.targets, batch.weights).rowLosses.clone();
    EXPECT_TRUE(at::equal(losses, training.rowLosses(batch.input, batch.targets)));
    EXPECT_TRUE(at::equal(losses, inference.rowLosses(batch.input, batch.targets)));
    const at::Tensor expected =
        Model(model).losses(batch.input.tokens, batch.input.segments, batch.input.scoredRows, batch.targets, limit);
    expectClose(losses, expected, "losses");
    const at::Tensor logits = inference.logits(batch.input);
    const at::Tensor again = -at::gather(at::log_softmax(logits, -1), 1, batch.targets.unsqueeze(1)).squeeze(1);
    expectClose(again, expected, "losses from logits");
    EXPECT_TRUE(logits.narrow(1, 32, kVocabulary - 32).isinf().all().item<bool>());
}

// A sample's figures do not depend on where it lies, what is packed beside it, or how many scored rows others have.
TEST(ChainRunner, SamplesDoNotSeeTheirNeighbours) {
    at::manual_seed(25);
    Transformer model(smallConfig(), at::kDouble);
    model.initialise(9);
    const Batch batch = packedBatch();
    ChainRunner runner(model, {.rows = 2, .length = 13, .training = false});
    const at::Tensor all = runner.rowLosses(batch.input, batch.targets).clone();
    StepInput alone;
    alone.segments = {1, 4, {{0, 4}}};
    alone.tokens = batch.input.tokens.narrow(0, 7, 4);
    alone.scoredRows = at::tensor({1, 2}, at::TensorOptions().dtype(at::kLong));
    expectClose(runner.rowLosses(alone, batch.targets.narrow(0, 3, 2)), all.narrow(0, 3, 2), "alone");
}

TEST(ChainRunner, NoScoredRowsIsNoWork) {
    Transformer model(smallConfig(), at::kFloat);
    model.initialise(1);
    ChainRunner runner(model, {.rows = 2, .length = 13});
    StepInput input;
    input.segments = packedLayout();
    input.tokens = at::zeros({26}, at::TensorOptions().dtype(at::kInt));
    input.scoredRows = at::zeros({0}, at::TensorOptions().dtype(at::kLong));
    const StepLoss loss = runner.forwardBackward(input, input.scoredRows, at::zeros({0}, float64()));
    EXPECT_EQ(loss.loss, 0);
    EXPECT_EQ(loss.rowLosses.numel(), 0);
    EXPECT_EQ(runner.logits(input).size(0), 0);
}

TEST(ChainRunner, NonFiniteWeightsShowInTheLoss) {
    at::manual_seed(26);
    Transformer model(smallConfig(), at::kFloat);
    model.initialise(1);
    model.slabs()[1].values.narrow(0, 0, 1).fill_(std::numeric_limits<double>::quiet_NaN());
    const Batch batch = packedBatch();
    ChainRunner runner(model, {.rows = 2, .length = 13});
    EXPECT_FALSE(runner.forwardBackward(batch.input, batch.targets, batch.weights).finite());
}

TEST(ChainRunner, WrongBatchesAreRefused) {
    Transformer model(smallConfig(), at::kFloat);
    ChainRunner runner(model, {.rows = 2, .length = 13, .training = false});
    Batch batch = packedBatch();
    EXPECT_THROW(runner.forwardBackward(batch.input, batch.targets, batch.weights), Error);
    batch.input.segments.segments.push_back({20, 3});
    EXPECT_THROW(runner.logits(batch.input), Error);
    batch = packedBatch();
    batch.input.segments.rows = 3;
    EXPECT_THROW(runner.logits(batch.input), Error);
    batch = packedBatch();
    batch.input.tokens = batch.input.tokens.narrow(0, 0, 20);
    EXPECT_THROW(runner.logits(batch.input), Error);
    batch = packedBatch();
    batch.input.segments.segments = {{10, 6}};
    EXPECT_THROW(runner.logits(batch.input), Error);
}

}  // namespace
}  // namespace unmask
