// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/fp8.h"

#include "engine/ops/checks.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/op_times.h"

namespace unmask {

using ops::isDenseMatrix;
using ops::isMatrix;
using ops::isVector;
using ops::require;

namespace {

constexpr const char* kOp = "fp8";

void onlyOnGpu(const at::Tensor& tensor) {
    if (!tensor.is_cuda())
        throw Error{ErrorCode::badInput, "[fp8] 8-bit products need a GPU"};
}

bool isScale(const at::Tensor& scale) {
    return scale.defined() && scale.scalar_type() == at::kFloat && isVector(scale, kFp8ScaleFloats);
}

// inner is (rows, 2F) where gated, else (rows, F).
int64_t innerColumns(ActivationKind kind, int64_t f) {
    return kind == ActivationKind::swiglu ? 2 * f : f;
}

bool isCodes(const at::Tensor& codes, int64_t rows, int64_t columns) {
    return isDenseMatrix(codes, rows, columns) && codes.scalar_type() == at::kByte;
}

void checkCopies(const Fp8Copies& out, int64_t rows, int64_t columns) {
    require(rows % 16 == 0 && columns % 16 == 0, kOp, "rows and columns must be multiples of 16");
    require(isScale(out.scale), kOp, "a scale is missing");
    require(!out.row.defined() || isCodes(out.row, rows, columns), kOp, "rows have the wrong shape");
    require(!out.transposed.defined() || isCodes(out.transposed, columns, rows), kOp,
            "the transposed copy has the wrong shape");
}

}  // namespace

void quantiseFp8(const at::Tensor& x, const Fp8Copies& out, Fp8Range range) {
    onlyOnGpu(x);
    require(isMatrix(x, x.size(0), x.size(1)), kOp, "rows must be dense");
    checkCopies(out, x.size(0), x.size(1));
    ops::timed([&] { return ops::shapeName("quantise", x.size(0), x.size(1)); },
               [&] { cuda::quantiseFp8(x, out, range); });
}

void quantiseProductFp8(ActivationKind kind, const at::Tensor& inner, const Fp8Copies& out) {
    onlyOnGpu(inner);
    const int64_t n = inner.size(0);
    const int64_t f = inner.size(1) / innerColumns(kind, 1);
    require(isDenseMatrix(inner, n, innerColumns(kind, f)), kOp, "inner must be dense");
    checkCopies(out, n, f);
    ops::timed([&] { return ops::shapeName("activation to codes forward", n, f); },
               [&] { cuda::quantiseProductFp8(kind, inner, out); });
}

void quantiseInnerGradientFp8(ActivationKind kind, const at::Tensor& gradientProduct, const at::Tensor& inner,
                              const Fp8Copies& out) {
    onlyOnGpu(inner);
    const int64_t n = gradientProduct.size(0);
    const int64_t f = gradientProduct.size(1);
    require(isDenseMatrix(gradientProduct, n, f) && isDenseMatrix(inner, n, innerColumns(kind, f)), kOp,
            "inner and product do not have matching shapes");
    require(gradientProduct.scalar_type() == inner.scalar_type(), kOp, "inner and product have different types");
    checkCopies(out, n, innerColumns(kind, f));
    ops::timed([&] { return ops::shapeName("activation to codes backward", n, f); },
               [&] { cuda::quantiseInnerGradientFp8(kind, gradientProduct, inner, out); });
}

void rollFp8Scales(const at::Tensor& scales) {
    onlyOnGpu(scales);
    require(isDenseMatrix(scales, scales.size(0), kFp8ScaleFloats) && scales.scalar_type() == at::kFloat, kOp,
            "scales have the wrong shape");
    cuda::rollFp8Scales(scales);
}

void fp8Product(const Fp8Product& product) {
    onlyOnGpu(product.c);
    const int64_t m = product.c.size(0);
    const int64_t n = product.c.size(1);
    const int64_t k = product.a.codes.size(1);
    require(isMatrix(product.c, m, n) && isCodes(product.a.codes, m, k) && isCodes(product.b.codes, n, k), kOp,
            "shapes do not meet");
    require(isScale(product.a.scale) && isScale(product.b.scale), kOp, "a scale is missing");
    require(!product.bias.defined() || isVector(product.bias, n), kOp, "bias has the wrong size");
    ops::timed([&] { return ops::shapeName("fp8 product", m, n) + "×" + std::to_string(k); },
               [&] { cuda::fp8Product(product); });
}

}  // namespace unmask
