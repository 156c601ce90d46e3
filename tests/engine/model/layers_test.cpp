// SPDX-License-Identifier: Apache-2.0
// The small parts of the chain by themselves: parameters bound to slabs, norm, linear, embedding and head.
#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/tensor.h>

#include "engine/base/error.h"
#include "engine/model/embedding.h"
#include "engine/model/head.h"
#include "engine/model/linear.h"
#include "engine/model/norm.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "tests/engine/ops/autograd_reference.h"

namespace unmask {
namespace {

using namespace reference;

ModelConfig smallConfig() {
    ModelConfig config;
    config.layers = 1;
    config.width = 16;
    config.heads = 2;
    config.feedForwardWidth = 24;
    config.vocabularySize = 32;
    config.norm = NormKind::layerNorm;
    config.biases = true;
    config.tiedHead = true;
    return config;
}

struct Bench {
    ModelConfig config = smallConfig();
    Transformer model{config, at::kDouble};
    std::vector<SlabShape> shapes = slabShapes(config);
    SlabBinding block{model.slabs()[1], shapes[1]};

    Bench() {
        at::manual_seed(81);
        for (Slab& slab : model.slabs())
            slab.values.copy_(random(slab.values.sizes()));
    }
    at::Tensor value(const std::string& name) const {
        for (const NamedParameter& parameter : model.namedParameters())
            if (parameter.name == name)
                return parameter.value;
        return {};
    }
};

TEST(Parameters, NeighboursJoinAndStrangersDoNot) {
    const Bench bench;
    EXPECT_TRUE(bench.block.has("blocks.0.attention.key.weight"));
    EXPECT_FALSE(bench.block.has("blocks.1.attention.key.weight"));
    EXPECT_FALSE(bench.block("blocks.0.attention.query_norm.weight").defined());
    const Weight joint = bench.block.joined({"blocks.0.feed_forward.gate.weight", "blocks.0.feed_forward.up.weight"});
    EXPECT_TRUE(at::equal(joint.value, at::cat({bench.value("blocks.0.feed_forward.gate.weight"),
                                                bench.value("blocks.0.feed_forward.up.weight")})));
    EXPECT_EQ(joint.gradient.sizes(), joint.value.sizes());
    EXPECT_THROW((void)bench.block.joined({"blocks.0.feed_forward.up.weight", "blocks.0.attention.query.weight"}),
                 Error);
}

TEST(Linear, SeveralMatricesMultiplyAsOne) {
    const Bench bench;
    const Linear joint(bench.block, {"blocks.0.attention.key", "blocks.0.attention.value"});
    const at::Tensor x = random({5, 16});
    const at::Tensor y = at::empty({5, 32}, float64());
    joint.forward({x, {}}, y, {});
    const auto alone = [&](const std::string& name) {
        return at::linear(x, bench.value(name + ".weight"), bench.value(name + ".bias"));
    };
    expectClose(y, at::cat({alone("blocks.0.attention.key"), alone("blocks.0.attention.value")}, 1), "y");
}

TEST(Norm, AddsWhatIsPendingOnTheStream) {
    const Bench bench;
    const Norm norm(bench.block, "blocks.0.attention.norm", 1e-5);
    const Stream in{random({6, 16}), random({6, 16})};
    const Norm::Buffers out{at::empty({6, 16}, float64()), at::empty({6, 16}, float64()), at::empty({6}, float64()),
                            at::empty({6}, float64())};
    norm.forward(in, out);
    expectClose(out.y,
                layerNorm(in.x + in.delta, bench.value("blocks.0.attention.norm.weight"),
                          bench.value("blocks.0.attention.norm.bias"), 1e-5),
                "y");
    EXPECT_TRUE(at::equal(out.sum, in.x + in.delta));
}

TEST(Head, TiedHeadAddsToTheGradientOfTheEmbedding) {
    Bench bench;
    const Head& head = bench.model.head();
    const Embedding& embedding = bench.model.embedding();
    const at::Tensor tokens = at::tensor({3, 3, 7}, at::TensorOptions().dtype(at::kLong));
    StepContext context;
    const auto make = [&](WorkBuffer which, std::vector<int64_t> shape) {
        context.work[which] = at::zeros(shape, float64());
    };
    make(WorkBuffer::headInput, {3, 16});
    make(WorkBuffer::headNormed, {3, 16});
    make(WorkBuffer::headRstd, {3});
    make(WorkBuffer::headMean, {3});
    make(WorkBuffer::logits, {2, 32});
    make(WorkBuffer::rowLosses, {3});
    make(WorkBuffer::delta, {3, 16});
    make(WorkBuffer::scoredGradient, {3, 16});
    make(WorkBuffer::reduction, {at::get_num_threads() * 32});
    const at::Tensor x = at::empty({3, 16}, float64());
    embedding.forward(tokens, x);
    const at::Tensor targets = at::tensor({1, 2, 30}, at::TensorOptions().dtype(at::kLong));
    const at::Tensor weights = at::tensor({0.5, -1.0, 2.0}, float64());
    embedding.backward(tokens, head.lossesAndGradient({x, {}}, targets, weights, {}, context));
    const at::Tensor losses = context.work[WorkBuffer::rowLosses].clone();

    const at::Tensor table = differentiable(bench.value("embedding.weight"));
    const at::Tensor normed =
        layerNorm(table.index_select(0, tokens), bench.value("head.norm.weight"), bench.value("head.norm.bias"), 1e-5);
    const at::Tensor expected =
        -at::gather(at::log_softmax(at::linear(normed, table), -1), 1, targets.unsqueeze(1)).squeeze(1);
    (expected * weights).sum().backward();
    expectClose(losses, expected, "losses");
    expectClose(embedding.weight().gradient, table.grad(), "gradient of the shared matrix");

    head.losses({x, {}}, targets, {}, context);
    EXPECT_TRUE(at::equal(context.work[WorkBuffer::rowLosses], losses));
}

}  // namespace
}  // namespace unmask
