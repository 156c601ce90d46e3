// SPDX-License-Identifier: Apache-2.0
// A backward pass split into its input and weight parts, and what recomputing promises, for the layers of a block.
#include "engine/model/block.h"

#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include "engine/model/attention.h"
#include "engine/model/feed_forward.h"
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

    at::Tensor run(const Layer& block, bool split) {
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

// Gradients of the slab and of the stream are the same whether a pipeline asks for them together or apart.
void expectSplitEqualsWhole(bool lastBlock, const char* name) {
    BlockBench bench(lastBlock);
    const size_t layer = lastBlock ? 1 : 0;
    const Slab& slab = bench.model.slabs()[layer + 1];
    const std::vector<SlabShape> shapes = slabShapes(bench.config);
    const SlabBinding binding(slab, shapes[layer + 1]);
    const std::string prefix = "blocks." + std::to_string(layer) + ".";
    const Queries queries = lastBlock ? Queries::scored : Queries::all;
    const Attention attention(bench.config, binding, prefix, queries);
    const FeedForward feedForward(bench.config, binding, prefix);
    const Block block(bench.config, binding, prefix, queries);
    for (const Layer* tried : {static_cast<const Layer*>(&attention), static_cast<const Layer*>(&block)}) {
        const at::Tensor whole = bench.run(*tried, false);
        const at::Tensor gradients = slab.gradients.clone();
        EXPECT_TRUE(at::equal(whole, bench.run(*tried, true))) << name;
        EXPECT_TRUE(at::equal(gradients, slab.gradients)) << name;
        EXPECT_GT(gradients.abs().max().item<double>(), 0) << name;
    }
    if (lastBlock)
        return;  // alone, the feed-forward part of the last block has no scored rows to start from
    const at::Tensor whole = bench.run(feedForward, false);
    EXPECT_TRUE(at::equal(whole, bench.run(feedForward, true))) << name;
}

TEST(Block, SplitBackwardEqualsTheWhole) {
    expectSplitEqualsWhole(false, "inner block");
    expectSplitEqualsWhole(true, "last block");
}

TEST(Block, RecomputingChangesNoBit) {
    BlockBench bench(false);
    const Block& block = *bench.model.blocks()[0];
    block.forward({bench.in.x.clone(), bench.in.delta.clone()}, bench.saved, bench.context);
    const at::Tensor normed = bench.saved[BlockBuffer::normed2].clone();
    const at::Tensor product = bench.saved[BlockBuffer::product].clone();
    for (const BlockBuffer which :
         {BlockBuffer::normed1, BlockBuffer::normed2, BlockBuffer::product, BlockBuffer::projected})
        bench.saved[which].zero_();
    block.recompute(bench.saved, bench.context);
    EXPECT_TRUE(at::equal(bench.saved[BlockBuffer::normed2], normed));
    EXPECT_TRUE(at::equal(bench.saved[BlockBuffer::product], product));
}

// Norm outputs and the product may be overwritten between forward and backward.
TEST(Block, RestoringInTheBackwardPassChangesNoBit) {
    BlockBench bench(false);
    const Block& block = *bench.model.blocks()[0];
    const Slab& slab = bench.model.slabs()[1];
    const at::Tensor kept = bench.run(block, false);
    const at::Tensor gradients = slab.gradients.clone();

    bench.model.zeroGradients();
    const Stream out = block.forward({bench.in.x.clone(), bench.in.delta.clone()}, bench.saved, bench.context);
    for (const BlockBuffer which : {BlockBuffer::normed1, BlockBuffer::normed2, BlockBuffer::product})
        bench.saved[which].fill_(99);
    bench.context.restoring = true;
    at::manual_seed(32);
    const at::Tensor restored =
        block.backward(reference::random(out.x.sizes()), bench.saved, bench.context, BackwardPart::both);
    EXPECT_TRUE(at::equal(restored, kept));
    EXPECT_TRUE(at::equal(slab.gradients, gradients));
}

}  // namespace
}  // namespace unmask
