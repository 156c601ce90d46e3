// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/linear.h"

#include <ATen/Parallel.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/mm.h>

#include "engine/ops/checks.h"
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/float_copies.h"
#include "engine/ops/op_times.h"

namespace unmask {

using ops::isMatrix;
using ops::isVector;
using ops::require;

namespace {

void multiply(const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) {
    at::Tensor out = c;
    if (!cpu::blockedProduct(a, b, c))
        at::mm_out(out, a, b);
}

}  // namespace

void linearForward(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& y) {
    const char* op = "linear";
    require(isMatrix(y, x.size(0), weight.size(0)) && x.size(1) == weight.size(1), op, "shapes do not meet");
    if (ops::onGpu(x, op))
        return ops::timed(
            [&] {
                return ops::shapeName("product forward", x.size(0), weight.size(0)) + "×" + std::to_string(x.size(1));
            },
            [&] {
                ops::exactly(ExactOp::products, std::array{x, weight, bias, y},
                             [](const auto& t) { cuda::linearForward(t[0], t[1], t[2], t[3]); });
            });
    multiply(x, weight.t(), y);
    if (!bias.defined())
        return;
    require(isVector(bias, y.size(1)), op, "bias has the wrong size");
    cpu::addRowBias(bias, y);
}

void linearBackwardInput(const at::Tensor& gradientY, const at::Tensor& weight, const at::Tensor& gradientX) {
    const char* op = "linear";
    require(isMatrix(gradientX, gradientY.size(0), weight.size(1)) && gradientY.size(1) == weight.size(0), op,
            "shapes do not meet");
    if (ops::onGpu(gradientY, op))
        return ops::timed(
            [&] {
                return ops::shapeName("product input gradient", gradientY.size(0), weight.size(1)) + "×" +
                       std::to_string(weight.size(0));
            },
            [&] {
                ops::exactly(ExactOp::products, std::array{gradientY, weight, gradientX},
                             [](const auto& t) { cuda::linearBackwardInput(t[0], t[1], t[2]); });
            });
    multiply(gradientY, weight, gradientX);
}

void linearBackwardWeight(const at::Tensor& gradientY, const at::Tensor& x, const at::Tensor& weightGradient,
                          const at::Tensor& biasGradient, const at::Tensor& scratch) {
    const char* op = "linear";
    require(isMatrix(weightGradient, gradientY.size(1), x.size(1)) && gradientY.size(0) == x.size(0), op,
            "shapes do not meet");
    if (ops::onGpu(x, op))
        return ops::timed(
            [&] {
                return ops::shapeName("product weight gradient", gradientY.size(1), x.size(1)) + "×" +
                       std::to_string(x.size(0));
            },
            [&] {
                ops::exactly(ExactOp::products, std::array{gradientY, x, weightGradient, biasGradient},
                             [](const auto& t) { cuda::linearBackwardWeight(t[0], t[1], t[2], t[3]); });
            });
    at::Tensor out = weightGradient;
    at::addmm_out(out, weightGradient, gradientY.t(), x);
    if (biasGradient.defined())
        linearBackwardBias(gradientY, biasGradient, scratch);
}

void linearBackwardBias(const at::Tensor& gradientY, const at::Tensor& biasGradient, const at::Tensor& scratch) {
    const char* op = "linear";
    require(isVector(biasGradient, gradientY.size(1)), op, "the gradient of the bias has the wrong size");
    if (ops::onGpu(gradientY, op))
        return cuda::linearBackwardBias(gradientY, biasGradient);
    require(scratch.defined() && scratch.numel() >= at::get_num_threads() * gradientY.size(1), op,
            "scratch is too small");
    cpu::addColumnSums(gradientY, biasGradient, scratch);
}

}  // namespace unmask
