// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernels/activation/activation.h"
#include "kernels/common/device.cuh"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;
constexpr float kRoot2OverPi = 0.7978845608028654f;
constexpr float kCubic = 0.044715f;

__device__ inline float sigmoid(float x) {
    return 1.0f / (1.0f + __expf(-x));
}

// d/dx of gelu in its tanh form, and the value itself.
__device__ inline float geluWithSlope(float x, float& slope) {
    const float t = tanhf(kRoot2OverPi * (x + kCubic * x * x * x));
    slope = 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * kRoot2OverPi * (1.0f + 3.0f * kCubic * x * x);
    return 0.5f * x * (1.0f + t);
}

template <class T, bool Gated>
__global__ void forwardKernel(ActivationArgs a) {
    const int64_t packs = a.F / kPack;
    const int64_t index = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (index >= a.rows * packs)
        return;
    const int64_t row = index / packs, column = index % packs * kPack;
    const T* inner = static_cast<const T*>(a.inner) + row * a.F * (Gated ? 2 : 1) + column;
    float x[kPack], up[kPack], out[kPack];
    load(inner, x);
    if constexpr (Gated)
        load(inner + a.F, up);
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        float slope;
        out[j] = Gated ? x[j] * sigmoid(x[j]) * up[j] : geluWithSlope(x[j], slope);
    }
    store(static_cast<T*>(a.product) + row * a.F + column, out);
}

template <class T, bool Gated>
__global__ void backwardKernel(ActivationBackwardArgs a) {
    const int64_t packs = a.F / kPack;
    const int64_t index = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (index >= a.rows * packs)
        return;
    const int64_t row = index / packs, column = index % packs * kPack;
    T* inner = static_cast<T*>(a.inner) + row * a.F * (Gated ? 2 : 1) + column;
    float g[kPack], x[kPack], up[kPack], product[kPack];
    load(static_cast<const T*>(a.gradientProduct) + row * a.F + column, g);
    load(inner, x);
    if constexpr (Gated)
        load(inner + a.F, up);
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        if constexpr (Gated) {
            const float s = sigmoid(x[j]), silu = x[j] * s, u = up[j];
            product[j] = silu * u;
            up[j] = g[j] * silu;
            x[j] = g[j] * u * (s + silu * (1.0f - s));
        } else {
            float slope;
            product[j] = geluWithSlope(x[j], slope);
            x[j] = g[j] * slope;
        }
    }
    store(inner, x);
    if constexpr (Gated)
        store(inner + a.F, up);
    if (a.product != nullptr)
        store(static_cast<T*>(a.product) + row * a.F + column, product);
}

template <class Args>
const char* refuse(const Args& a) {
    return a.rows < 0 || a.F <= 0 || a.F % kPack != 0 ? "activation: F must be a positive multiple of 8" : nullptr;
}

template <bool Gated>
Status forward(const ActivationArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (a.rows == 0)
        return {};
    const int64_t blocks = (a.rows * (a.F / kPack) + kThreads - 1) / kThreads;
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        forwardKernel<T, Gated><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a);
        return launched();
    });
}

template <bool Gated>
Status backward(const ActivationBackwardArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (a.rows == 0)
        return {};
    const int64_t blocks = (a.rows * (a.F / kPack) + kThreads - 1) / kThreads;
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        backwardKernel<T, Gated><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a);
        return launched();
    });
}

}  // namespace

Status swigluForward(const ActivationArgs& args, Stream stream) {
    return forward<true>(args, stream);
}
Status geluForward(const ActivationArgs& args, Stream stream) {
    return forward<false>(args, stream);
}
Status swigluBackward(const ActivationBackwardArgs& args, Stream stream) {
    return backward<true>(args, stream);
}
Status geluBackward(const ActivationBackwardArgs& args, Stream stream) {
    return backward<false>(args, stream);
}

}  // namespace unmask::kernels
