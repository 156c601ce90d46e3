// SPDX-License-Identifier: Apache-2.0
// Initial weights, the binding of parameters to slabs, and a backward pass split into its input and weight parts.
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include "engine/base/error.h"
#include "engine/model/initial_weights.h"
#include "engine/model/transformer.h"
#include "engine/ops/rotary.h"
#include "tests/engine/ops/autograd_reference.h"

namespace unmask {
namespace {

ModelConfig smallConfig() {
    ModelConfig config;
    config.layers = 2;
    config.width = 32;
    config.heads = 4;
    config.feedForwardWidth = 48;
    config.vocabularySize = 384;
    config.biases = true;
    config.qkNorm = true;
    return config;
}

const NamedParameter& named(const Transformer& model, const std::string& name) {
    for (const NamedParameter& parameter : model.namedParameters())
        if (parameter.name == name)
            return parameter;
    throw std::runtime_error(name);
}

TEST(Transformer, InitialWeightsHaveTheirSpread) {
    ModelConfig config = smallConfig();
    config.width = 128;
    Transformer model(config, at::kFloat);
    model.initialise(42);
    const auto spread = [&](const char* name) {
        return named(model, name).value.to(at::kDouble).pow(2).mean().sqrt().item<double>();
    };
    EXPECT_NEAR(spread("embedding.weight"), 0.02, 0.0005);
    EXPECT_NEAR(spread("blocks.1.attention.query.weight"), 0.02, 0.0005);
    EXPECT_NEAR(spread("blocks.1.attention.output.weight"), 0.02 / std::sqrt(4.0), 0.0004);
    EXPECT_NEAR(spread("blocks.0.feed_forward.down.weight"), 0.02 / std::sqrt(4.0), 0.0004);
    EXPECT_NEAR(named(model, "embedding.weight").value.mean().item<double>(), 0, 0.0004);
    EXPECT_EQ(spread("blocks.0.attention.norm.weight"), 1);
    EXPECT_EQ(spread("blocks.0.attention.query_norm.weight"), 1);
    EXPECT_EQ(spread("blocks.0.feed_forward.up.bias"), 0);
}

TEST(Transformer, InitialWeightsDependOnTheSeedAlone) {
    const int threads = at::get_num_threads();
    std::vector<at::Tensor> embeddings;
    for (const int count : {1, 2, 3}) {
        at::set_num_threads(count);
        Transformer model(smallConfig(), at::kFloat);
        model.initialise(42);
        embeddings.push_back(named(model, "embedding.weight").value);
    }
    at::set_num_threads(threads);
    EXPECT_TRUE(at::equal(embeddings[0], embeddings[1]));
    EXPECT_TRUE(at::equal(embeddings[0], embeddings[2]));
    Transformer other(smallConfig(), at::kFloat);
    other.initialise(43);
    EXPECT_FALSE(at::equal(embeddings[0], named(other, "embedding.weight").value));
    // Never renumbered: old runs must start from the same weights.
    const NormalPair pair = initialNormals(NoiseKeys(42), 0, 0);
    EXPECT_FLOAT_EQ(embeddings[0].flatten()[0].item<float>(), static_cast<float>(0.02 * pair.first));
    EXPECT_FLOAT_EQ(embeddings[0].flatten()[1].item<float>(), static_cast<float>(0.02 * pair.second));
}

TEST(Transformer, ParametersAreSlicesOfTheirSlabs) {
    Transformer model(smallConfig(), at::kDouble);
    model.initialise(1);
    int64_t elements = 0;
    for (const NamedParameter& parameter : model.namedParameters()) {
        const Slab& slab = model.slabs()[static_cast<size_t>(parameter.slab)];
        const at::Tensor slice = slab.values.narrow(0, parameter.offset, parameter.value.numel());
        EXPECT_TRUE(at::equal(slice, parameter.value.flatten())) << parameter.name;
        EXPECT_EQ(slice.data_ptr(), parameter.value.data_ptr()) << parameter.name;
        elements += parameter.value.numel();
    }
    EXPECT_EQ(elements, countParameters(smallConfig()).total);
}

TEST(Transformer, ImpossibleShapesAreRefusedInWords) {
    const auto refusal = [](void (*change)(ModelConfig&)) -> std::string {
        ModelConfig config = smallConfig();
        change(config);
        try {
            const Transformer model(config, at::kFloat);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal([](ModelConfig& c) { c.heads = 5; }), "[model] 5 heads do not divide the width of 32");
    EXPECT_NE(refusal([](ModelConfig& c) { c.keyValueHeads = 3; }), "");
    EXPECT_NE(refusal([](ModelConfig& c) { c.heads = 32; }), "");
    EXPECT_NE(refusal([](ModelConfig& c) { c.vocabularySize = 0; }), "");
}

// A block by itself, with all buffers allocated one by one.
struct BlockBench {
    ModelConfig config = smallConfig();
    Transformer model;
    SavedBuffers saved;
    StepContext context;
    Stream in;

    explicit BlockBench(bool lastBlock) : model(config, at::kDouble) {
        using B = BlockBuffer;
        using W = WorkBuffer;
        model.initialise(3);
        const auto make = [](int64_t rows, int64_t columns) {
            return columns == 0 ? at::zeros({rows}, reference::float64())
                                : at::zeros({rows, columns}, reference::float64());
        };
        const int64_t n = 26, c = 32, r = lastBlock ? 5 : n;
        for (const B which : {B::input, B::normed1})
            saved[which] = make(n, c);
        for (const B which : {B::scoredNormed, B::query, B::rawQuery, B::attended, B::middle, B::normed2,
                              B::attentionGradient, B::feedForwardGradient})
            saved[which] = make(r, c);
        saved[B::projected] = make(n, lastBlock ? 2 * c : 3 * c);
        saved[B::rawKey] = make(n, c);
        saved[B::queryRstd] = make(r, 4);
        saved[B::keyRstd] = make(n, 4);
        saved[B::logSumExp] = make(r, 4);
        saved[B::rstd1] = make(n, 0);
        saved[B::rstd2] = make(r, 0);
        saved[B::inner] = make(r, 96);
        saved[B::product] = make(r, 48);
        context.work[W::delta] = make(n, c);
        context.work[W::gradient] = make(n, c);
        context.work[W::productGradient] = make(n, 48);
        context.work[W::rotary] = make(13, 8);
        rotaryTable(context.work[W::rotary], 10000);
        const StepShape shape{.rows = 2, .length = 13};
        context.attentionScratchElements = attentionScratchElements(config, shape);
        context.work[W::attentionScratch] = make(at::get_num_threads() * context.attentionScratchElements, 0);
        context.work[W::reduction] = make(at::get_num_threads() * 200, 0);
        const auto int32 = at::TensorOptions().dtype(at::kInt);
        context.work[W::positions] = reference::positionsOf(SegmentLayout::wholeRows(2, 13));
        context.work[W::scoredPositions] = at::tensor({1, 4, 0, 1, 12}, int32);
        context.scoredRows = at::tensor({1, 4, 13, 14, 25}, at::TensorOptions().dtype(at::kLong));
        context.bounds = at::tensor({0, 13, 0, 13, 13, 26, 13, 26}, int32).reshape({2, 4});
        context.scoredBounds = at::tensor({0, 2, 0, 13, 2, 5, 13, 26}, int32).reshape({2, 4});
        at::manual_seed(31);
        in = {reference::random({n, c}), reference::random({n, c})};
    }

    at::Tensor run(bool lastBlock, bool split) {
        const Block& block = *model.blocks()[lastBlock ? 1 : 0];
        model.zeroGradients();
        const Stream out = block.forward({in.x.clone(), in.delta.clone()}, saved, context);
        at::manual_seed(32);
        const at::Tensor gradient = reference::random(out.x.sizes());
        if (!split)
            return block.backward(gradient, saved, context, BackwardPart::both).clone();
        const at::Tensor before = block.backward(gradient, saved, context, BackwardPart::input).clone();
        context.work[WorkBuffer::delta].fill_(99);  // the weight part must not rest on work buffers
        context.work[WorkBuffer::productGradient].fill_(99);
        block.backward(gradient, saved, context, BackwardPart::weight);
        return before;
    }
};

TEST(Block, SplitBackwardEqualsTheWhole) {
    for (const bool lastBlock : {false, true}) {
        BlockBench bench(lastBlock);
        const at::Tensor whole = bench.run(lastBlock, false);
        const at::Tensor gradients = bench.model.slabs()[lastBlock ? 2 : 1].gradients.clone();
        const at::Tensor split = bench.run(lastBlock, true);
        EXPECT_TRUE(at::equal(whole, split));
        EXPECT_TRUE(at::equal(gradients, bench.model.slabs()[lastBlock ? 2 : 1].gradients));
        EXPECT_GT(gradients.abs().max().item<double>(), 0);
    }
}

TEST(Segments, RowsMayNotBeCrossed) {
    EXPECT_NO_THROW(checkSegments(SegmentLayout::wholeRows(3, 5)));
    EXPECT_NO_THROW(checkSegments(reference::packedLayout()));
    EXPECT_THROW(checkSegments({2, 5, {{3, 4}}}), Error);
    EXPECT_THROW(checkSegments({2, 5, {{0, 3}, {2, 2}}}), Error);
    EXPECT_THROW(checkSegments({2, 5, {{0, 0}}}), Error);
    EXPECT_THROW(checkSegments({2, 5, {{8, 3}}}), Error);
    EXPECT_THROW(checkSegments({2, 5, {{-1, 2}}}), Error);
}

}  // namespace
}  // namespace unmask
