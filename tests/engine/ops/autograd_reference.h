// SPDX-License-Identifier: Apache-2.0
// The layers of the engine written a second time, plainly, with LibTorch's differentiable functions: what the explicit
// backward passes are compared with. Also the comparison itself.
#pragma once

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#define AT_PER_OPERATOR_HEADERS  // so that the operators bring in their own headers only
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/segment_layout.h"

namespace unmask::reference {

inline at::TensorOptions float64() {
    return at::TensorOptions().dtype(at::kDouble);
}

inline at::Tensor random(at::IntArrayRef shape) {
    return at::randn(shape, float64());
}
inline at::Tensor differentiable(const at::Tensor& value) {
    return value.detach().clone().set_requires_grad(true);
}

// Largest difference, relative to the largest magnitude of the expected tensor.
inline double relativeError(const at::Tensor& actual, const at::Tensor& expected) {
    const double scale = expected.detach().abs().max().item<double>();
    const double difference = (actual.detach() - expected.detach()).abs().max().item<double>();
    return scale == 0 ? difference : difference / scale;
}

constexpr double kGradientTolerance = 1e-9;

inline void expectClose(const at::Tensor& actual, const at::Tensor& expected, const char* what,
                        double tolerance = kGradientTolerance) {
    ASSERT_EQ(actual.sizes(), expected.sizes()) << what;
    EXPECT_LE(relativeError(actual, expected), tolerance) << what;
}

inline at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
    return x * at::rsqrt(at::pow(x, 2).mean(-1, true) + epsilon) * weight;
}

inline at::Tensor layerNorm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double epsilon) {
    const at::Tensor centred = x - x.mean(-1, true);
    return centred * at::rsqrt(at::pow(centred, 2).mean(-1, true) + epsilon) * weight + bias;
}

// x (rows, heads, D), positions (rows)
inline at::Tensor rotary(const at::Tensor& x, const at::Tensor& positions, double base) {
    const int64_t d = x.size(-1);
    const at::Tensor frequency = at::pow(base, at::arange(0, d, 2, float64()) * (-1.0 / static_cast<double>(d)));
    const at::Tensor angle = at::outer(positions.to(at::kDouble), frequency).unsqueeze(1);
    const at::Tensor a = x.narrow(-1, 0, d / 2);
    const at::Tensor b = x.narrow(-1, d / 2, d / 2);
    return at::cat({a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()}, -1);
}

// query (rows, heads, D), key and value (rows, groups, D); attention inside each segment, zero elsewhere.
inline at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            const SegmentLayout& layout) {
    const int64_t d = query.size(2);
    const int64_t repeat = query.size(1) / key.size(1);
    std::vector<at::Tensor> parts;
    int64_t end = 0;
    const auto padding = [&](int64_t until) {
        if (until > end)
            parts.push_back(at::zeros({until - end, query.size(1), d}, float64()));
    };
    for (const Segment& segment : layout.segments) {
        padding(segment.begin);
        const auto cut = [&](const at::Tensor& t) {
            return t.narrow(0, segment.begin, segment.length).transpose(0, 1);
        };
        const at::Tensor k = cut(key).repeat_interleave(repeat, 0);
        const at::Tensor v = cut(value).repeat_interleave(repeat, 0);
        const at::Tensor scores = at::matmul(cut(query), k.transpose(1, 2)) / std::sqrt(static_cast<double>(d));
        parts.push_back(at::matmul(at::softmax(scores, -1), v).transpose(0, 1));
        end = segment.begin + segment.length;
    }
    padding(layout.tokens());
    return at::cat(parts, 0);
}

// Segments of several lengths with padding between and behind them: two rows of 13.
inline SegmentLayout packedLayout() {
    return {2, 13, {{0, 5}, {5, 1}, {7, 4}, {13, 13}}};
}

inline at::Tensor positionsOf(const SegmentLayout& layout) {
    at::Tensor positions = at::zeros({layout.tokens()}, at::TensorOptions().dtype(at::kInt));
    for (const Segment& segment : layout.segments)
        for (int64_t i = 0; i < segment.length; ++i)
            positions.data_ptr<int32_t>()[segment.begin + i] = static_cast<int32_t>(i);
    return positions;
}

}  // namespace unmask::reference
