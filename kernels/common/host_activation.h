// SPDX-License-Identifier: Apache-2.0
// The activation in double, for the references of every kernel that computes it. GELU in its tanh form.
#pragma once

#include <cmath>

namespace unmask::kernels {

namespace host {

constexpr double kRoot2OverPi = 0.79788456080286535588;
constexpr double kCubic = 0.044715;

inline double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
inline double swiglu(double gate, double up) {
    return gate * sigmoid(gate) * up;
}
struct SwigluGradient {
    double gate, up;
};
inline SwigluGradient swigluGradient(double gradient, double gate, double up) {
    const double s = sigmoid(gate);
    return {gradient * up * (s + gate * s * (1 - s)), gradient * gate * s};
}

inline double gelu(double x) {
    return 0.5 * x * (1 + std::tanh(kRoot2OverPi * (x + kCubic * x * x * x)));
}
inline double geluGradient(double gradient, double x) {
    const double t = std::tanh(kRoot2OverPi * (x + kCubic * x * x * x));
    return gradient * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kRoot2OverPi * (1 + 3 * kCubic * x * x));
}

}  // namespace host

}  // namespace unmask::kernels
