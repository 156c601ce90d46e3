// SPDX-License-Identifier: Apache-2.0
#include <tuple>

#include "engine/ops/linear.h"
#include "tests/engine/ops/cpu/fp32_check.h"

namespace unmask {
namespace {

using namespace reference;

// Tails in every dimension, strided operands, both forms of the right operand.
TEST(BlockedProduct, MatchesFp64) {
    at::manual_seed(17);
    for (const auto& [rows, in, out] :
         {std::tuple{293, 542, 69}, {16, 16, 16}, {15, 40, 40}, {128, 512, 64}, {144, 600, 258}, {1025, 33, 130}}) {
        const at::Tensor x = single(random({rows, in + 3})).narrow(1, 0, in);
        const at::Tensor weight = single(random({out, in}));
        const at::Tensor target = at::zeros({rows, out + 5}, float32());
        linearForward(x, weight, {}, target.narrow(1, 0, out));
        const at::Tensor expected = at::linear(x.to(at::kDouble), weight.to(at::kDouble));
        expectFollows(target.narrow(1, 0, out), expected, "y", 1e-5);
        EXPECT_EQ(target.narrow(1, out, 5).abs().max().item<float>(), 0);
        const at::Tensor gradient = single(random({rows, out}));
        const at::Tensor gradientX = at::zeros({rows, in}, float32());
        linearBackwardInput(gradient, weight, gradientX);
        expectFollows(gradientX, at::matmul(gradient.to(at::kDouble), weight.to(at::kDouble)), "gradient", 1e-5);
    }
}

TEST(BlockedProduct, DoesNotDependOnThreads) {
    at::manual_seed(18);
    const at::Tensor a = single(random({700, 530}));
    const at::Tensor b = single(random({530, 200}));
    if (!cpu::blockedProduct(a, b, at::zeros({700, 200}, float32())))
        GTEST_SKIP() << "this processor has no AVX-512; products go through ATen";
    expectSameBitsWithAnyThreads([&] {
        const at::Tensor c = at::zeros({700, 200}, float32());
        cpu::blockedProduct(a, b, c);
        return c;
    });
}

TEST(BlockedProduct, LeavesOthersToATen) {
    const at::Tensor c = at::zeros({20, 20}, float64());
    EXPECT_FALSE(cpu::blockedProduct(random({20, 20}), random({20, 20}), c));
    EXPECT_EQ(c.abs().max().item<double>(), 0);
    EXPECT_FALSE(cpu::blockedProduct(single(random({3, 20})), single(random({20, 20})), at::zeros({3, 20}, float32())));
}

}  // namespace
}  // namespace unmask
