// SPDX-License-Identifier: Apache-2.0
#include "kernels/activation/activation.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"

namespace unmask::cuda {

namespace {

kernels::ActivationArgs forwardArgs(const at::Tensor& inner, const at::Tensor& product) {
    return {.inner = pointer(inner),
            .product = pointer(product),
            .rows = product.size(0),
            .F = static_cast<int>(product.size(1)),
            .dtype = dtypeOf(inner)};
}

kernels::ActivationBackwardArgs backwardArgs(const at::Tensor& gradientProduct, const at::Tensor& inner,
                                             const at::Tensor& product) {
    return {.gradientProduct = pointer(gradientProduct),
            .inner = pointer(inner),
            .product = pointer(product),
            .rows = gradientProduct.size(0),
            .F = static_cast<int>(gradientProduct.size(1)),
            .dtype = dtypeOf(inner)};
}

}  // namespace

void swigluForward(const at::Tensor& inner, const at::Tensor& product) {
    check(kernels::swigluForward(forwardArgs(inner, product), currentStream()));
}
void swigluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner, const at::Tensor& product) {
    check(kernels::swigluBackward(backwardArgs(gradientProduct, inner, product), currentStream()));
}
void geluForward(const at::Tensor& inner, const at::Tensor& product) {
    check(kernels::geluForward(forwardArgs(inner, product), currentStream()));
}
void geluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner, const at::Tensor& product) {
    check(kernels::geluBackward(backwardArgs(gradientProduct, inner, product), currentStream()));
}

}  // namespace unmask::cuda
