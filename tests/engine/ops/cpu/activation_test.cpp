// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/tensor.h>

#include "tests/engine/ops/cpu/fp32_check.h"

namespace unmask {
namespace {

using namespace reference;

TEST(CpuActivation, Fp32FollowsFp64OverTheWholeRange) {
    at::manual_seed(6);
    const at::Tensor inner = single(random({64, 2 * 40}) * 40);
    const at::Tensor gradient = single(random({64, 40}));
    const at::Tensor wide = inner.to(at::kDouble);
    const at::Tensor product = at::empty({64, 40}, float64());
    const at::Tensor product32 = at::empty({64, 40}, float32());
    cpu::swigluForward(wide, product);
    cpu::swigluForward(inner, product32);
    expectFollows(product32, product, "product");
    cpu::swigluBackward(gradient.to(at::kDouble), wide);
    cpu::swigluBackward(gradient, inner);
    expectFollows(inner, wide, "gradient");
}

TEST(CpuActivation, ExtremeInputsStayFinite) {
    const at::Tensor extreme = at::tensor({-200.0, -90.0, 90.0, 200.0}, float32()).reshape({1, 4});
    const at::Tensor out = at::empty({1, 4}, float32());
    cpu::geluForward(extreme, out);
    EXPECT_LT(out.narrow(1, 0, 2).abs().max().item<float>(), 1e-30);
    EXPECT_TRUE(at::equal(out.narrow(1, 2, 2), extreme.narrow(1, 2, 2)));
    const at::Tensor slope = extreme.clone();
    cpu::geluBackward(at::tensor({1.0, 1.0, 1.0, 1.0}, float32()).reshape({1, 4}), slope);
    EXPECT_LT(slope.narrow(1, 0, 2).abs().max().item<float>(), 1e-30);
    EXPECT_TRUE(at::equal(slope.narrow(1, 2, 2), at::tensor({1.0, 1.0}, float32()).reshape({1, 2})));
}

TEST(CpuActivation, NanIsNotSwallowed) {
    const at::Tensor inner = at::tensor({std::nan(""), 1.0}, float32()).reshape({1, 2});
    const at::Tensor out = at::empty({1, 1}, float32());
    cpu::swigluForward(inner, out);
    EXPECT_TRUE(std::isnan(out.item<float>()));
}

}  // namespace
}  // namespace unmask
