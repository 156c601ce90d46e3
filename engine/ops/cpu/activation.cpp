// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cpu/parallel.h"
#include "engine/ops/cpu/vector_math.h"

namespace unmask::cpu {

namespace {

template <class T>
T sigmoid(T x) {
    return T(1) / (T(1) + fastExp(-x));
}

// tanh form: gelu(x) = x/2 · (1 + tanh(z)) with z = √(2/π) · (x + 0.044715 x³), and 1 + tanh(z) = 2 sigmoid(2z).
template <class T>
struct Gelu {
    static constexpr T kScale = T(1.5957691216057308);  // 2 √(2/π)
    static constexpr T kCubic = T(0.044715);
    static T gate(T x) { return sigmoid(kScale * (x + kCubic * x * x * x)); }
    static T gateSlope(T x, T gate) { return gate * (T(1) - gate) * kScale * (T(1) + 3 * kCubic * x * x); }
};

template <class T>
void swigluForwardOf(const at::Tensor& innerT, const at::Tensor& productT) {
    const RowView<T> inner(innerT), product(productT);
    const int64_t f = product.columns;
    parallelParts(product.rows, product.rows * f, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            const T* gate = inner[row];
            const T* up = gate + f;
            T* out = product[row];
#pragma omp simd
            for (int64_t i = 0; i < f; ++i)
                out[i] = gate[i] * sigmoid(gate[i]) * up[i];
        }
    });
}

template <class T>
void swigluBackwardOf(const at::Tensor& gradientT, const at::Tensor& innerT) {
    const RowView<T> gradient(gradientT), inner(innerT);
    const int64_t f = gradient.columns;
    parallelParts(gradient.rows, gradient.rows * f, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            const T* dp = gradient[row];
            T* gate = inner[row];
            T* up = gate + f;
#pragma omp simd
            for (int64_t i = 0; i < f; ++i) {
                const T s = sigmoid(gate[i]);
                const T silu = gate[i] * s;
                gate[i] = dp[i] * up[i] * (s + silu * (T(1) - s));
                up[i] = dp[i] * silu;
            }
        }
    });
}

template <class T>
void geluForwardOf(const at::Tensor& innerT, const at::Tensor& productT) {
    const RowView<T> inner(innerT), product(productT);
    const int64_t f = product.columns;
    parallelParts(product.rows, product.rows * f, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            const T* x = inner[row];
            T* out = product[row];
#pragma omp simd
            for (int64_t i = 0; i < f; ++i)
                out[i] = x[i] * Gelu<T>::gate(x[i]);
        }
    });
}

template <class T>
void geluBackwardOf(const at::Tensor& gradientT, const at::Tensor& innerT) {
    const RowView<T> gradient(gradientT), inner(innerT);
    const int64_t f = gradient.columns;
    parallelParts(gradient.rows, gradient.rows * f, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            const T* dp = gradient[row];
            T* x = inner[row];
#pragma omp simd
            for (int64_t i = 0; i < f; ++i) {
                const T gate = Gelu<T>::gate(x[i]);
                x[i] = dp[i] * (gate + x[i] * Gelu<T>::gateSlope(x[i], gate));
            }
        }
    });
}

}  // namespace

void swigluForward(const at::Tensor& inner, const at::Tensor& product) {
    withType(inner.scalar_type(), [&](auto type) { swigluForwardOf<decltype(type)>(inner, product); });
}
void swigluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner) {
    withType(inner.scalar_type(), [&](auto type) { swigluBackwardOf<decltype(type)>(gradientProduct, inner); });
}
void geluForward(const at::Tensor& inner, const at::Tensor& product) {
    withType(inner.scalar_type(), [&](auto type) { geluForwardOf<decltype(type)>(inner, product); });
}
void geluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner) {
    withType(inner.scalar_type(), [&](auto type) { geluBackwardOf<decltype(type)>(gradientProduct, inner); });
}

}  // namespace unmask::cpu
