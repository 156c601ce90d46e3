// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/ones.h>

#include "tests/engine/ops/cpu/fp32_check.h"

namespace unmask {
namespace {

using namespace reference;

// Output, then the gradient of x, of a norm over rows whose mean is far from 0.
at::Tensor outputAndGradient(at::ScalarType type, bool layerNorm) {
    at::manual_seed(51);
    const int64_t n = 700, c = 72;
    const auto options = at::TensorOptions().dtype(type);
    const at::Tensor x = (random({n, c}) + (layerNorm ? 100.0 : 1.0)).to(type);
    const at::Tensor weight = random({c}).to(type);
    const at::Tensor bias = layerNorm ? random({c}).to(type) : at::Tensor{};
    const at::Tensor mean = layerNorm ? at::empty({n}, options) : at::Tensor{};
    const at::Tensor rstd = at::empty({n}, options);
    const at::Tensor y = at::empty({n, c}, options);
    cpu::normForward({x, {}, weight, bias, 1e-5, x, y, rstd, mean});
    const at::Tensor gradient = at::zeros({n, c}, options);
    const at::Tensor biasGradient = layerNorm ? at::zeros({c}, options) : at::Tensor{};
    cpu::normBackward({random({n, c}).to(type), x, weight, rstd, mean, gradient, at::zeros({c}, options), biasGradient,
                       at::empty({at::get_num_threads() * 2 * c}, options)});
    return at::cat({y, gradient}, 1);
}

TEST(CpuNorm, Fp32FollowsFp64) {
    expectFollows(outputAndGradient(at::kFloat, false), outputAndGradient(at::kDouble, false), "RMSNorm");
    expectFollows(outputAndGradient(at::kFloat, true), outputAndGradient(at::kDouble, true), "LayerNorm", 3e-5);
}

TEST(CpuNorm, RowsDoNotDependOnThreads) {
    expectSameBitsWithAnyThreads([] { return outputAndGradient(at::kFloat, false); });
}

TEST(CpuNorm, ARowOfZerosStaysFinite) {
    const at::Tensor x = at::zeros({1, 8}, float32());
    const at::Tensor y = at::ones({1, 8}, float32());
    cpu::normForward({x, {}, at::ones({8}, float32()), {}, 1e-5, x, y, at::empty({1}, float32()), {}});
    EXPECT_EQ(y.abs().max().item<float>(), 0);
}

}  // namespace
}  // namespace unmask
