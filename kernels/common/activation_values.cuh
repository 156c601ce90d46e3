// SPDX-License-Identifier: Apache-2.0
// Eight values of the activation, forward and backward, for every kernel that computes it on its way.
#pragma once

#include "kernels/common/device.cuh"

namespace unmask::kernels {

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

// x: gate, or the only input; up is read where gated.
template <bool Gated>
__device__ inline void activationValues(const float (&x)[kPack], const float (&up)[kPack], float (&product)[kPack]) {
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        float slope;
        product[j] = Gated ? x[j] * sigmoid(x[j]) * up[j] : geluWithSlope(x[j], slope);
    }
}

// x and up become their gradients, from that of the product, which is computed once more.
template <bool Gated>
__device__ inline void activationGradients(const float (&gradient)[kPack], float (&x)[kPack], float (&up)[kPack],
                                           float (&product)[kPack]) {
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        if constexpr (Gated) {
            const float s = sigmoid(x[j]), silu = x[j] * s, u = up[j];
            product[j] = silu * u;
            up[j] = gradient[j] * silu;
            x[j] = gradient[j] * u * (s + silu * (1.0f - s));
        } else {
            float slope;
            product[j] = geluWithSlope(x[j], slope);
            x[j] = gradient[j] * slope;
        }
    }
}

}  // namespace unmask::kernels
