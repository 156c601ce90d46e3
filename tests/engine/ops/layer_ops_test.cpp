// SPDX-License-Identifier: Apache-2.0
// Norms, rotary positions, activations, linear layers and embedding: forward and backward against float64 autograd.
#include <ATen/Parallel.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include "engine/base/error.h"
#include "engine/ops/activation.h"
#include "engine/ops/cpu_features.h"
#include "engine/ops/embedding.h"
#include "engine/ops/linear.h"
#include "engine/ops/norm.h"
#include "engine/ops/rotary.h"
#include "tests/engine/ops/autograd_reference.h"

namespace unmask {
namespace {

using namespace reference;

at::Tensor scratch(int64_t elements) {
    return at::empty({at::get_num_threads() * elements}, float64());
}

struct NormCase {
    bool layerNorm;
    bool delta;
    int64_t rows, columns;
};

class NormTest : public testing::TestWithParam<NormCase> {};

TEST_P(NormTest, MatchesAutograd) {
    const NormCase c = GetParam();
    at::manual_seed(1);
    const at::Tensor x = differentiable(random({c.rows, c.columns}));
    const at::Tensor delta = c.delta ? random({c.rows, c.columns}) : at::Tensor{};
    const at::Tensor weight = differentiable(random({c.columns}));
    const at::Tensor bias = c.layerNorm ? differentiable(random({c.columns})) : at::Tensor{};
    const at::Tensor sum = c.delta ? x + delta : x * 1.0;
    const at::Tensor expected = c.layerNorm ? layerNorm(sum, weight, bias, 1e-5) : rmsNorm(sum, weight, 1e-5);
    const at::Tensor gradientY = random({c.rows, c.columns});
    (expected * gradientY).sum().backward();

    const at::Tensor y = at::empty({c.rows, c.columns}, float64());
    const at::Tensor outSum = at::empty_like(y);
    const at::Tensor rstd = at::empty({c.rows}, float64());
    const at::Tensor mean = c.layerNorm ? at::empty({c.rows}, float64()) : at::Tensor{};
    normForward(
        {x.detach(), delta, weight.detach(), c.layerNorm ? bias.detach() : at::Tensor{}, 1e-5, outSum, y, rstd, mean});
    expectClose(y, expected, "y");
    expectClose(outSum, sum, "sum");

    const at::Tensor before = random({c.rows, c.columns});
    const at::Tensor gradient = before.clone();
    const at::Tensor weightGradient = at::full({c.columns}, 2.0, float64());
    const at::Tensor biasGradient = c.layerNorm ? at::full({c.columns}, 3.0, float64()) : at::Tensor{};
    const at::Tensor overwritten = gradientY.clone();  // by y once more
    normBackward({overwritten, outSum, weight.detach(), rstd, mean, gradient, weightGradient, biasGradient,
                  scratch(2 * c.columns), overwritten, c.layerNorm ? bias.detach() : at::Tensor{}});
    expectClose(overwritten, y, "y once more");
    expectClose(gradient - before, x.grad(), "gradient of x");
    expectClose(weightGradient - 2.0, weight.grad(), "gradient of the weight");
    if (c.layerNorm)
        expectClose(biasGradient - 3.0, bias.grad(), "gradient of the bias");
}

INSTANTIATE_TEST_SUITE_P(Variants, NormTest,
                         testing::Values(NormCase{false, false, 7, 12}, NormCase{false, true, 300, 33},
                                         NormCase{true, false, 5, 17}, NormCase{true, true, 300, 40}));

TEST(Norm, SumMayLieInPlace) {
    at::manual_seed(2);
    const at::Tensor x = random({4, 8});
    const at::Tensor delta = random({4, 8});
    const at::Tensor expected = x + delta;
    const at::Tensor weight = at::full({8}, 1.0, float64());
    normForward({x, delta, weight, {}, 1e-5, x, at::empty_like(x), at::empty({4}, float64()), {}});
    EXPECT_TRUE(at::equal(x, expected));
}

class RotaryTest : public testing::TestWithParam<bool> {};

TEST_P(RotaryTest, MatchesAutogradWithAndWithoutHeadNorm) {
    const bool headNorm = GetParam();
    at::manual_seed(3);
    const SegmentLayout layout = packedLayout();
    const int64_t n = layout.tokens(), heads = 3, d = 6;
    const at::Tensor positions = positionsOf(layout);
    const at::Tensor x = differentiable(random({n, heads, d}));
    const at::Tensor weight = differentiable(random({d}));
    const at::Tensor normed = headNorm ? rmsNorm(x, weight, 1e-5) : x * 1.0;
    const at::Tensor expected = rotary(normed, positions, 10000);
    const at::Tensor gradientY = random({n, heads, d});
    (expected * gradientY).sum().backward();

    // Rows are strided, as the query part of a joint projection is.
    const at::Tensor wide = random({n, heads * d + 5});
    const at::Tensor own = wide.narrow(1, 0, heads * d);
    own.copy_(x.detach().reshape({n, heads * d}));
    const at::Tensor table = at::empty({layout.length, d}, float64());
    rotaryTable(table, 10000);
    const at::Tensor raw = at::empty({n, heads * d}, float64());
    const at::Tensor rstd = at::empty({n, heads}, float64());
    const at::Tensor w = headNorm ? weight.detach() : at::Tensor{};
    rotaryForward({own, positions, table, d, w, 1e-5, raw, rstd});
    expectClose(own.reshape({n, heads, d}), expected, "rotated");

    own.copy_(gradientY.reshape({n, heads * d}));
    const at::Tensor weightGradient = at::zeros({d}, float64());
    rotaryBackward({own, positions, table, d, w, raw, rstd, weightGradient, scratch(d)});
    expectClose(own.reshape({n, heads, d}), x.grad(), "gradient");
    if (headNorm)
        expectClose(weightGradient, weight.grad(), "gradient of the head norm");
}

INSTANTIATE_TEST_SUITE_P(HeadNorm, RotaryTest, testing::Bool());

TEST(Activation, SwigluMatchesAutograd) {
    at::manual_seed(4);
    const at::Tensor inner = differentiable(random({200, 2 * 33}) * 3);
    const at::Tensor expected = at::silu(inner.narrow(1, 0, 33)) * inner.narrow(1, 33, 33);
    const at::Tensor gradient = random({200, 33});
    (expected * gradient).sum().backward();
    const at::Tensor own = inner.detach().clone();
    const at::Tensor product = at::empty({200, 33}, float64());
    swigluForward(own, product);
    expectClose(product, expected, "product");
    product.zero_();
    swigluBackward(gradient, own, product);
    expectClose(own, inner.grad(), "gradient");
    expectClose(product, expected, "product once more");
}

TEST(Activation, GeluMatchesAutograd) {
    at::manual_seed(5);
    const at::Tensor inner = differentiable(random({200, 33}) * 3);
    const at::Tensor expected = at::gelu(inner, "tanh");
    const at::Tensor gradient = random({200, 33});
    (expected * gradient).sum().backward();
    const at::Tensor own = inner.detach().clone();
    const at::Tensor product = at::empty({200, 33}, float64());
    geluForward(own, product);
    expectClose(product, expected, "product");
    product.zero_();
    geluBackward(gradient, own, product);
    expectClose(own, inner.grad(), "gradient");
    expectClose(product, expected, "product once more");
}

class LinearTest : public testing::TestWithParam<bool> {};

TEST_P(LinearTest, MatchesAutograd) {
    const bool withBias = GetParam();
    at::manual_seed(7);
    const at::Tensor x = differentiable(random({300, 11}));
    const at::Tensor weight = differentiable(random({37, 11}));
    const at::Tensor bias = differentiable(random({37}));
    const at::Tensor expected = withBias ? at::linear(x, weight, bias) : at::linear(x, weight);
    const at::Tensor gradient = random({300, 37});
    (expected * gradient).sum().backward();

    const at::Tensor none;
    const at::Tensor y = at::empty({300, 37}, float64());
    linearForward(x.detach(), weight.detach(), withBias ? bias.detach() : none, y);
    expectClose(y, expected, "y");
    const at::Tensor gradientX = at::empty({300, 11}, float64());
    linearBackwardInput(gradient, weight.detach(), gradientX);
    expectClose(gradientX, x.grad(), "gradient of x");
    const at::Tensor weightGradient = at::full({37, 11}, 2.0, float64());
    const at::Tensor biasGradient = withBias ? at::full({37}, 3.0, float64()) : none;
    linearBackwardWeight(gradient, x.detach(), weightGradient, biasGradient, scratch(37));
    expectClose(weightGradient - 2.0, weight.grad(), "gradient of the weight");
    if (withBias)
        expectClose(biasGradient - 3.0, bias.grad(), "gradient of the bias");
}

INSTANTIATE_TEST_SUITE_P(Bias, LinearTest, testing::Bool());

TEST(Embedding, MatchesAutogradWithRepeatedTokens) {
    at::manual_seed(8);
    const at::Tensor tokens = at::tensor({3, 0, 3, 6, 3, 1}, at::TensorOptions().dtype(at::kInt));
    const at::Tensor weight = differentiable(random({7, 35}));
    const at::Tensor expected = at::embedding(weight, tokens);
    const at::Tensor gradient = random({6, 35});
    (expected * gradient).sum().backward();
    const at::Tensor out = at::empty({6, 35}, float64());
    embeddingForward(tokens, weight.detach(), out);
    EXPECT_TRUE(at::equal(out, expected.detach()));
    const at::Tensor weightGradient = at::zeros({7, 35}, float64());
    embeddingBackward(tokens, gradient, weightGradient);
    expectClose(weightGradient, weight.grad(), "gradient");
}

TEST(Embedding, IdOutsideTheVocabularyIsRefused) {
    const at::Tensor weight = at::zeros({7, 4}, float64());
    const at::Tensor out = at::zeros({1, 4}, float64());
    EXPECT_THROW(embeddingForward(at::full({1}, 7, at::TensorOptions().dtype(at::kInt)), weight, out), Error);
    EXPECT_THROW(embeddingForward(at::full({1}, -1, at::TensorOptions().dtype(at::kLong)), weight, out), Error);
}

TEST(Rows, GatherAndScatterAreEachOthersTranspose) {
    at::manual_seed(10);
    const at::Tensor x = random({9, 5});
    const at::Tensor rows = at::tensor({1, 4, 8}, at::TensorOptions().dtype(at::kLong));
    const at::Tensor out = at::empty({3, 5}, float64());
    gatherRows(x, rows, out);
    EXPECT_TRUE(at::equal(out, at::index_select(x, 0, rows)));
    const at::Tensor back = at::zeros({9, 5}, float64());
    scatterAddRows(out, rows, back);
    EXPECT_TRUE(at::equal(at::index_select(back, 0, rows), out));
    EXPECT_NEAR(back.sum().item<double>(), out.sum().item<double>(), 1e-12);
    EXPECT_THROW(checkRows(at::tensor({4, 1}, at::TensorOptions().dtype(at::kLong)), 9), Error);
    EXPECT_THROW(checkRows(at::tensor({9}, at::TensorOptions().dtype(at::kLong)), 9), Error);
}

TEST(CpuFeatures, ThisMachineHasThem) {
    EXPECT_EQ(missingCpuFeatures(), "");
}

}  // namespace
}  // namespace unmask
