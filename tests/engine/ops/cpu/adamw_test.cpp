// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/ops/cpu/fp32_check.h"

namespace unmask {
namespace {

using namespace reference;

// 70,000 elements make several parts, and the border of weight decay lies inside one of them.
TEST(CpuAdamW, Fp32FollowsFp64AndDoesNotDependOnThreads) {
    at::manual_seed(14);
    const int64_t n = 70'001;
    const at::Tensor values = random({n});
    const at::Tensor gradients = random({n});
    const auto run = [&](at::ScalarType type) {
        const Slab slab{"slab", values.to(type).clone(), gradients.to(type), 33'333};
        AdamWArgs args;
        args.m = at::zeros({n}, at::TensorOptions().dtype(type));
        args.v = at::zeros({n}, at::TensorOptions().dtype(type));
        args.learningRate = 0.01;
        args.weightDecay = 0.3;
        for (args.updates = 1; args.updates <= 3; ++args.updates)
            cpu::adamwUpdate(slab, args);
        return slab.values;
    };
    expectFollows(run(at::kFloat), run(at::kDouble), "weights");
    expectSameBitsWithAnyThreads([&] { return run(at::kFloat); });
}

TEST(CpuAdamW, SumOfSquaresDoesNotDependOnThreads) {
    at::manual_seed(15);
    const at::Tensor values = single(random({200'003}));
    const double expected = (values.to(at::kDouble) * values.to(at::kDouble)).sum().item<double>();
    EXPECT_NEAR(cpu::sumOfSquares(values), expected, 1e-10 * expected);
    expectSameBitsWithAnyThreads([&] { return at::zeros({1}, float64()) + cpu::sumOfSquares(values); });
}

}  // namespace
}  // namespace unmask
