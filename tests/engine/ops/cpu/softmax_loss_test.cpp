// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/full.h>
#include <ATen/ops/randint.h>

#include "tests/engine/ops/cpu/fp32_check.h"

namespace unmask {
namespace {

using namespace reference;

at::Tensor ids(int64_t below, int64_t count) {
    return at::randint(below, {count}, at::TensorOptions().dtype(at::kLong));
}

TEST(CpuSoftmaxLoss, Fp32FollowsFp64) {
    at::manual_seed(71);
    const at::Tensor logits = random({90, 300}) * 5;
    const at::Tensor targets = ids(200, 90);
    const at::Tensor weights = random({90});
    const at::Tensor wide = logits.to(at::kFloat).to(at::kDouble);
    const at::Tensor narrow = single(logits);
    const at::Tensor losses = at::empty({90}, float64());
    const at::Tensor losses32 = at::empty({90}, float64());
    cpu::softmaxLoss({wide, targets, weights, losses, 250});
    cpu::softmaxLoss({narrow, targets, weights, losses32, 250});
    expectClose(losses32, losses, "losses", 1e-6);
    expectFollows(narrow, wide, "gradient");
    EXPECT_EQ(narrow.narrow(1, 250, 1).abs().max().item<float>(), 0);  // the excluded id has no gradient
}

TEST(CpuSoftmaxLoss, LargeLogitsDoNotOverflow) {
    const at::Tensor logits = at::full({1, 4}, -3e4, float32());
    logits.narrow(1, 1, 1).fill_(3e4);
    const at::Tensor losses = at::empty({1}, float64());
    cpu::softmaxLoss({logits.clone(), at::full({1}, 1, at::TensorOptions().dtype(at::kLong)), {}, losses, -1});
    EXPECT_EQ(losses.item<double>(), 0);
    cpu::softmaxLoss({logits.clone(), at::full({1}, 0, at::TensorOptions().dtype(at::kLong)), {}, losses, -1});
    EXPECT_EQ(losses.item<double>(), 6e4);
}

}  // namespace
}  // namespace unmask
