// SPDX-License-Identifier: Apache-2.0
// The block half by itself: its backward pass in parts, and what restoring promises. Values and gradients are held to
// autograd in the chain's test.
#include "engine/model/mixture_of_experts.h"

#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include "engine/model/transformer.h"
#include "tests/engine/ops/autograd_reference.h"

namespace unmask {
namespace {

using B = BlockBuffer;
using W = WorkBuffer;

constexpr int64_t kRows = 11;

ModelConfig sparseConfig() {
    ModelConfig config;
    config.layers = 2;
    config.width = 16;
    config.heads = 2;
    config.feedForwardWidth = 24;
    config.vocabularySize = 128;
    config.biases = true;
    config.initialStd = 0.3;
    config.experts = 4;
    config.expertWidth = 12;
    config.sharedExperts = 1;
    config.balanceCoefficient = 1;
    config.expertCapacity = 0.8;
    return config;
}

// One sparse block with its buffers, sized by the planner.
struct Bench {
    ModelConfig config = sparseConfig();
    Transformer model;
    const MixtureOfExperts& experts;
    SavedBuffers saved;
    StepContext context;
    Stream in;

    Bench() : model(config, at::kDouble), experts(*model.blocks()[0]->experts()) {
        model.initialise(3);
        const StepShape shape{
            .rows = 1, .length = kRows, .threads = at::get_num_threads(), .elementBytes = 8, .splitBackward = true};
        const auto block = blockBuffers(config, shape, false, BlockKind::sparse);
        const auto make = [&](const BufferSize& size, bool rows) {
            const at::Tensor flat =
                at::zeros({size.elements}, at::TensorOptions().dtype(size.elementBytes == 4 ? at::kInt : at::kDouble));
            return rows && size.elements > kRows ? flat.view({kRows, size.elements / kRows}) : flat;
        };
        for (const B which :
             {B::middle, B::normed2, B::rstd2, B::inner, B::product, B::routeScores, B::routeWeights, B::routeExperts,
              B::routePlaces, B::routeOrder, B::expertBounds, B::sharedInner, B::sharedProduct, B::feedForwardGradient})
            saved[which] = make(block[static_cast<size_t>(which)], which != B::expertBounds);
        const auto work = workBuffers(config, shape);
        for (const W which : {W::delta, W::expertRows, W::expertGradient, W::routeGradient, W::reduction})
            context.work[which] =
                make(work[static_cast<size_t>(which)], which == W::delta || which == W::routeGradient);
        const auto int32 = at::TensorOptions().dtype(at::kInt);
        context.bounds = at::tensor({0, 4, 0, 4, 5, 11, 5, 11}, int32).reshape({2, 4});
        at::manual_seed(31);
        in = {reference::random({kRows, 16}), reference::random({kRows, 16})};
    }
    const Slab& slab() { return model.slabs()[1]; }
    at::Tensor forward() { return experts.forward({in.x.clone(), in.delta.clone()}, saved, context).delta; }
    at::Tensor backward(BackwardPart part) {
        at::manual_seed(32);
        return experts.backward(reference::random({kRows, 16}), saved, context, part).clone();
    }
};

TEST(MixtureOfExperts, SplitBackwardEqualsTheWhole) {
    Bench bench;
    bench.forward();
    const at::Tensor whole = bench.backward(BackwardPart::both);
    const at::Tensor gradients = bench.slab().gradients.clone();
    const at::Tensor load = bench.experts.load().clone();
    bench.model.zeroGradients();
    bench.experts.load().zero_();
    bench.forward();
    EXPECT_TRUE(at::equal(whole, bench.backward(BackwardPart::input)));
    for (const W which : {W::delta, W::expertRows, W::expertGradient, W::routeGradient})
        bench.context.work[which].fill_(99);  // the weight part must not rest on work buffers
    bench.backward(BackwardPart::weight);
    EXPECT_TRUE(at::equal(gradients, bench.slab().gradients));
    EXPECT_TRUE(at::equal(load, bench.experts.load())) << "loads are counted by the input part alone";
    EXPECT_GT(gradients.abs().max().item<double>(), 0);
}

TEST(MixtureOfExperts, RestoringInTheBackwardPassChangesNoBit) {
    Bench bench;
    bench.forward();
    const at::Tensor kept = bench.backward(BackwardPart::both);
    const at::Tensor gradients = bench.slab().gradients.clone();
    bench.model.zeroGradients();
    bench.forward();
    for (const B which : {B::normed2, B::product, B::sharedProduct})
        bench.saved[which].fill_(99);
    bench.context.restoring = true;
    EXPECT_TRUE(at::equal(kept, bench.backward(BackwardPart::both)));
    EXPECT_TRUE(at::equal(gradients, bench.slab().gradients));
}

TEST(MixtureOfExperts, RecomputingChangesNoBit) {
    Bench bench;
    bench.forward();
    const at::Tensor product = bench.saved[B::product].clone();
    const at::Tensor scores = bench.saved[B::routeScores].clone();
    const at::Tensor order = bench.saved[B::routeOrder].clone();
    for (const B which : {B::product, B::routeScores, B::routeOrder, B::normed2})
        bench.saved[which].zero_();
    bench.experts.recompute({bench.in.x.clone(), bench.in.delta.clone()}, bench.saved, bench.context);
    EXPECT_TRUE(at::equal(product, bench.saved[B::product]));
    EXPECT_TRUE(at::equal(scores, bench.saved[B::routeScores]));
    EXPECT_TRUE(at::equal(order, bench.saved[B::routeOrder]));
}

TEST(MixtureOfExperts, LoadsTellWhatWasChosenAndDropped) {
    Bench bench;
    bench.context.share = 0.5;
    bench.forward();
    bench.backward(BackwardPart::both);
    const at::Tensor load = bench.experts.load();
    EXPECT_EQ(load.narrow(0, 0, 4).sum().item<double>(), 2 * 10);  // one of the 11 rows is padding
    const double dropped = load[4].item<double>();
    EXPECT_EQ(dropped, 20 - bench.saved[B::expertBounds][4].item<int32_t>());
    EXPECT_GT(dropped, 0);  // room for 4 in each of four experts
    EXPECT_GT(load[5].item<double>(), 0.4);
    EXPECT_LT(load[5].item<double>(), 2);
}

}  // namespace
}  // namespace unmask
