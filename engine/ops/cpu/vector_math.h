// SPDX-License-Identifier: Apache-2.0
// Exponentials that the compiler can vectorise. fp32 is within 2 units in the last place; fp64 is the library's.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace unmask::cpu {

inline double fastExp(double x) {
    return std::exp(x);
}

// x = n ln 2 + r with ln 2 in two parts, then the Taylor polynomial of degree 7, whose rest is below 6e-9 on
// |r| ≤ ln 2 / 2. Below −87.3 the result is 0, above 88.3 it is capped; NaN stays NaN.
inline float fastExp(float x) {
    constexpr float kRound = 12582912.0f;  // 1.5 · 2^23: adding it rounds to an integer in the low bits
    constexpr float kLn2High = 0.693359375f;
    constexpr float kLn2Low = -2.1219444e-4f;
    const float capped = x > 88.3f ? 88.3f : (x < -87.3f ? -87.3f : x);
    const float shifted = capped * 1.44269504f + kRound;
    const float n = shifted - kRound;
    const float r = (capped - n * kLn2High) - n * kLn2Low;
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r * r + r + 1.0f;
    const int32_t exponent = (std::bit_cast<int32_t>(shifted) - std::bit_cast<int32_t>(kRound)) << 23;
    const float result = std::bit_cast<float>(std::bit_cast<int32_t>(p) + exponent);
    return x < -87.3f ? 0.0f : result;
}

}  // namespace unmask::cpu
