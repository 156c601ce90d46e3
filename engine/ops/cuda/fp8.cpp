// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/fp8.h"

#include "engine/ops/cuda/gemm.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"
#include "kernels/fp8_quantise/fp8_activation.h"
#include "kernels/fp8_quantise/fp8_quantise.h"

namespace unmask::cuda {

namespace {

static_assert(sizeof(kernels::Fp8Scale) == kFp8ScaleFloats * sizeof(float));

kernels::Fp8Scale* scaleOf(const at::Tensor& scale) {
    return reinterpret_cast<kernels::Fp8Scale*>(scale.data_ptr<float>());
}

kernels::Fp8ActivationArgs activationArgs(const at::Tensor& gradientProduct, const at::Tensor& inner, int64_t f,
                                          const Fp8Copies& out) {
    return {.inner = inner.const_data_ptr(),
            .gradientProduct = gradientProduct.defined() ? gradientProduct.const_data_ptr() : nullptr,
            .row = pointer<uint8_t>(out.row),
            .transposed = pointer<uint8_t>(out.transposed),
            .scale = scaleOf(out.scale),
            .rows = inner.size(0),
            .F = static_cast<int>(f),
            .dtype = dtypeOf(inner)};
}

at::Tensor typed(const Fp8Factor& factor) {
    return factor.codes.view(factor.format == Fp8Format::e4m3 ? at::kFloat8_e4m3fn : at::kFloat8_e5m2);
}

}  // namespace

void quantiseFp8(const at::Tensor& x, const Fp8Copies& out, Fp8Range range) {
    const kernels::Fp8QuantiseArgs args{
        .x = x.const_data_ptr(),
        .row = pointer<uint8_t>(out.row),
        .transposed = pointer<uint8_t>(out.transposed),
        .scale = scaleOf(out.scale),
        .rows = x.size(0),
        .stride = x.stride(0),
        .columns = static_cast<int>(x.size(1)),
        .format = out.format == Fp8Format::e4m3 ? kernels::Fp8Format::e4m3 : kernels::Fp8Format::e5m2,
        .dtype = dtypeOf(x)};
    if (range == Fp8Range::measured)
        check(kernels::fp8Measure(args, currentStream()));
    check(kernels::fp8Quantise(args, currentStream()));
}

void quantiseProductFp8(ActivationKind kind, const at::Tensor& inner, const Fp8Copies& out) {
    const bool gated = kind == ActivationKind::swiglu;
    const auto args = activationArgs({}, inner, inner.size(1) / (gated ? 2 : 1), out);
    check(gated ? kernels::fp8SwigluForward(args, currentStream()) : kernels::fp8GeluForward(args, currentStream()));
}

void quantiseInnerGradientFp8(ActivationKind kind, const at::Tensor& gradientProduct, const at::Tensor& inner,
                              const Fp8Copies& out) {
    const auto args = activationArgs(gradientProduct, inner, gradientProduct.size(1), out);
    check(kind == ActivationKind::swiglu ? kernels::fp8SwigluBackward(args, currentStream())
                                         : kernels::fp8GeluBackward(args, currentStream()));
}

void rollFp8Scales(const at::Tensor& scales) {
    check(kernels::fp8Roll(scaleOf(scales), static_cast<int>(scales.size(0)), currentStream()));
}

void fp8Product(const Fp8Product& product) {
    gemm({.a = typed(product.a),
          .b = typed(product.b),
          .c = product.c,
          .transposeB = true,
          .accumulate = product.accumulate,
          .bias = product.bias,
          .scaleA = product.a.scale,
          .scaleB = product.b.scale,
          .fastAccumulation = product.fastAccumulation});
}

}  // namespace unmask::cuda
