// SPDX-License-Identifier: Apache-2.0
// What every machine can check: 8-bit products refuse tensors of a CPU, in words.
#include "engine/ops/fp8.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace unmask {
namespace {

template <class Call>
ErrorCode refusal(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.code();
    }
    return ErrorCode::finished;
}

TEST(Fp8, NeedsAGpu) {
    const at::Tensor x = at::zeros({16, 16});
    const at::Tensor scale = at::zeros({kFp8ScaleFloats});
    EXPECT_EQ(refusal([&] { quantiseFp8(x, {.scale = scale}, Fp8Range::known); }), ErrorCode::badInput);
    EXPECT_EQ(refusal([&] { quantiseProductFp8(ActivationKind::gelu, x, {.scale = scale}); }), ErrorCode::badInput);
    EXPECT_EQ(refusal([&] { quantiseInnerGradientFp8(ActivationKind::gelu, x, x, {.scale = scale}); }),
              ErrorCode::badInput);
    EXPECT_EQ(refusal([&] { rollFp8Scales(at::zeros({2, kFp8ScaleFloats})); }), ErrorCode::badInput);
    EXPECT_EQ(refusal([&] { fp8Product({.c = x}); }), ErrorCode::badInput);
}

}  // namespace
}  // namespace unmask
