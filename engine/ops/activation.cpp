// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/activation.h"

#include "engine/ops/checks.h"
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/float_copies.h"
#include "engine/ops/op_times.h"

namespace unmask {

namespace {

void check(const at::Tensor& inner, const at::Tensor& product, int64_t parts) {
    const int64_t n = product.size(0);
    const int64_t f = product.size(1);
    ops::require(ops::isDenseMatrix(product, n, f) && ops::isDenseMatrix(inner, n, parts * f), "activation",
                 "inner and product do not have matching shapes");
}

}  // namespace

void swigluForward(const at::Tensor& inner, const at::Tensor& product) {
    check(inner, product, 2);
    if (ops::onGpu(inner, "activation"))
        return ops::timed([&] { return ops::shapeName("swiglu forward", product.size(0), product.size(1)); },
                          [&] {
                              ops::exactly(ExactOp::activation, std::array{inner, product},
                                           [](const auto& t) { cuda::swigluForward(t[0], t[1]); });
                          });
    cpu::swigluForward(inner, product);
}
void swigluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner, const at::Tensor& product) {
    check(inner, gradientProduct, 2);
    if (product.defined())
        check(inner, product, 2);
    if (ops::onGpu(inner, "activation"))
        return ops::timed(
            [&] { return ops::shapeName("swiglu backward", gradientProduct.size(0), gradientProduct.size(1)); },
            [&] {
                ops::exactly(ExactOp::activation, std::array{gradientProduct, inner, product},
                             [](const auto& t) { cuda::swigluBackward(t[0], t[1], t[2]); });
            });
    if (product.defined())
        cpu::swigluForward(inner, product);
    cpu::swigluBackward(gradientProduct, inner);
}
void geluForward(const at::Tensor& inner, const at::Tensor& product) {
    check(inner, product, 1);
    if (ops::onGpu(inner, "activation"))
        return ops::timed([&] { return ops::shapeName("gelu forward", product.size(0), product.size(1)); },
                          [&] {
                              ops::exactly(ExactOp::activation, std::array{inner, product},
                                           [](const auto& t) { cuda::geluForward(t[0], t[1]); });
                          });
    cpu::geluForward(inner, product);
}
void geluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner, const at::Tensor& product) {
    check(inner, gradientProduct, 1);
    if (product.defined())
        check(inner, product, 1);
    if (ops::onGpu(inner, "activation"))
        return ops::timed(
            [&] { return ops::shapeName("gelu backward", gradientProduct.size(0), gradientProduct.size(1)); },
            [&] {
                ops::exactly(ExactOp::activation, std::array{gradientProduct, inner, product},
                             [](const auto& t) { cuda::geluBackward(t[0], t[1], t[2]); });
            });
    if (product.defined())
        cpu::geluForward(inner, product);
    cpu::geluBackward(gradientProduct, inner);
}

}  // namespace unmask
