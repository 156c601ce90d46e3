// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/fp8.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include "engine/base/error.h"
#include "engine/ops/activation.h"
#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuFp8 : public GpuTest {
 protected:
    static at::Tensor bytes(int64_t rows, int64_t columns) {
        return at::zeros({rows, columns}, at::TensorOptions().dtype(at::kByte).device(at::kCUDA));
    }
    static at::Tensor scale() {
        return at::zeros({kFp8ScaleFloats}, at::TensorOptions().dtype(at::kFloat).device(at::kCUDA));
    }
    // What the codes of a factor are worth, (rows, columns) float64 on the host.
    static at::Tensor valuesOf(const Fp8Factor& factor) {
        const at::Tensor codes =
            factor.codes.cpu().view(factor.format == Fp8Format::e4m3 ? at::kFloat8_e4m3fn : at::kFloat8_e5m2);
        return codes.to(at::kDouble) * factor.scale.cpu()[0].to(at::kDouble);
    }
    static Fp8Factor quantised(const at::Tensor& x, Fp8Format format) {
        Fp8Factor factor{bytes(x.size(0), x.size(1)), scale(), format};
        quantiseFp8(x, {.row = factor.codes, .scale = factor.scale, .format = format}, Fp8Range::measured);
        return factor;
    }
};

TEST_F(GpuFp8, CodesStandForTheirValues) {
    for (const auto& [format, rounding] : {std::pair{Fp8Format::e4m3, 1.0 / 16}, {Fp8Format::e5m2, 1.0 / 8}}) {
        Pair x(uniform({144, 80}, 5), at::kBFloat16);
        const Fp8Factor row = quantised(x.device, format);
        const at::Tensor over = (valuesOf(row) - x.host).abs() / (x.host.abs() * rounding + 1e-3);
        EXPECT_LE(over.max().item<double>(), 1.0);
        const Fp8Factor turned{bytes(80, 144), row.scale, format};
        quantiseFp8(x.device, {.transposed = turned.codes, .scale = row.scale, .format = format}, Fp8Range::known);
        EXPECT_TRUE((valuesOf(turned).t() == valuesOf(row)).all().item<bool>());
    }
}

TEST_F(GpuFp8, ProductsAreThoseOfTheValues) {
    constexpr int64_t m = 144, n = 80, k = 272;
    for (const Fp8Format format : {Fp8Format::e4m3, Fp8Format::e5m2})
        for (const at::ScalarType type : {at::kBFloat16, at::kFloat})
            for (const bool accumulate : {false, true})
                for (const bool fast : {false, true}) {
                    SCOPED_TRACE(std::string(at::toString(type)) + (accumulate ? "+" : "=") + (fast ? "fast" : ""));
                    Pair a(uniform({m, k}), at::kBFloat16), b(uniform({n, k}), at::kBFloat16), c(uniform({m, n}), type);
                    const Fp8Factor left = quantised(a.device, format);
                    const Fp8Factor right = quantised(b.device, Fp8Format::e4m3);
                    fp8Product(
                        {.a = left, .b = right, .c = c.device, .accumulate = accumulate, .fastAccumulation = fast});
                    const at::Tensor product = at::matmul(valuesOf(left), valuesOf(right).t());
                    c.host = accumulate ? c.host + product : product;
                    // The tensor cores add 8-bit products with fewer bits than float has, in both ways of adding.
                    const double rounding = fast ? 2e-2 : type == at::kBFloat16 ? 1e-2 : 4e-3;
                    c.compare("product", rounding, rounding);
                }
}

TEST_F(GpuFp8, BiasIsAddedToEachRow) {
    Pair a(uniform({48, 64}), at::kBFloat16), b(uniform({96, 64}), at::kBFloat16), bias(uniform({96}), at::kBFloat16),
        c(uniform({48, 96}), at::kBFloat16);
    const Fp8Factor left = quantised(a.device, Fp8Format::e4m3);
    const Fp8Factor right = quantised(b.device, Fp8Format::e4m3);
    fp8Product({.a = left, .b = right, .c = c.device, .bias = bias.device});
    c.host = at::matmul(valuesOf(left), valuesOf(right).t()) + bias.host;
    c.compare("biased product", 1e-2, 1e-2);
}

// The range of a step is what the step before has seen, twice over.
TEST_F(GpuFp8, RangesFollowTheStepBefore) {
    Pair small(uniform({16, 16}), at::kBFloat16), large(uniform({16, 16}, 100), at::kBFloat16);
    const at::Tensor table = at::zeros({1, kFp8ScaleFloats}, at::TensorOptions().dtype(at::kFloat).device(at::kCUDA));
    const Fp8Factor factor{bytes(16, 16), table.select(0, 0)};
    const auto quantise = [&](const Pair& x, Fp8Range range) {
        quantiseFp8(x.device, {.row = factor.codes, .scale = factor.scale}, range);
        return valuesOf(factor).abs().max().item<double>();
    };
    const double largest = small.host.abs().max().item<double>();
    EXPECT_NEAR(quantise(small, Fp8Range::measured), largest, 0.07 * largest);
    EXPECT_NEAR(quantise(large, Fp8Range::known), 2 * largest, 0.07 * largest) << "cut off at twice what was known";
    rollFp8Scales(table);
    EXPECT_NEAR(quantise(large, Fp8Range::known), large.host.abs().max().item<double>(), 7);
}

// The product and inner's gradient, straight to codes: those of activation and quantiseFp8 in turn.
TEST_F(GpuFp8, ActivationGoesStraightToCodes) {
    constexpr int64_t n = 144, f = 208;
    for (const ActivationKind kind : {ActivationKind::swiglu, ActivationKind::gelu}) {
        const bool gated = kind == ActivationKind::swiglu;
        SCOPED_TRACE(gated ? "swiglu" : "gelu");
        const int64_t columns = gated ? 2 * f : f;
        Pair inner(uniform({n, columns}, 3), at::kBFloat16), gradient(uniform({n, f}), at::kBFloat16),
            product(uniform({n, f}), at::kBFloat16);
        at::Tensor known = scale(), otherKnown = scale();
        known[1] = 1.5;
        otherKnown[1] = 1.5;
        const Fp8Factor straight{bytes(n, f), known}, inTurn{bytes(n, f), otherKnown};
        quantiseProductFp8(kind, inner.device, {.row = straight.codes, .scale = known});
        gated ? swigluForward(inner.device, product.device) : geluForward(inner.device, product.device);
        quantiseFp8(product.device, {.row = inTurn.codes, .scale = otherKnown}, Fp8Range::known);
        EXPECT_TRUE(at::equal(straight.codes, inTurn.codes));
        EXPECT_TRUE(at::equal(known, otherKnown)) << "range and what was seen";

        const at::Tensor back = bytes(columns, n), backInTurn = bytes(columns, n);
        quantiseInnerGradientFp8(kind, gradient.device, inner.device, {.transposed = back, .scale = known});
        gated ? swigluBackward(gradient.device, inner.device) : geluBackward(gradient.device, inner.device);
        quantiseFp8(inner.device, {.transposed = backInTurn, .scale = otherKnown}, Fp8Range::known);
        EXPECT_TRUE(at::equal(back, backInTurn));
        EXPECT_TRUE(at::equal(known, otherKnown)) << "range and what was seen";
    }
}

TEST_F(GpuFp8, RefusesWhatCannotBeMultiplied) {
    Pair x(uniform({24, 16}), at::kBFloat16);
    EXPECT_THROW(quantiseFp8(x.device, {.row = bytes(24, 16), .scale = scale()}, Fp8Range::known), Error);
    Pair inner(uniform({16, 48}), at::kBFloat16);
    EXPECT_THROW(quantiseProductFp8(ActivationKind::swiglu, inner.device, {.row = bytes(16, 24), .scale = scale()}),
                 Error)
        << "24 columns";
    EXPECT_THROW(quantiseFp8(x.host, {.scale = scale()}, Fp8Range::known), Error) << "there is no CPU form";
}

}  // namespace
}  // namespace unmask::gpu
