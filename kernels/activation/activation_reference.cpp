// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernels/activation/activation.h"
#include "kernels/common/host_values.h"

namespace unmask::kernels {
namespace {

constexpr double kRoot2OverPi = 0.79788456080286535588;
constexpr double kCubic = 0.044715;

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
double gelu(double x) {
    return 0.5 * x * (1 + std::tanh(kRoot2OverPi * (x + kCubic * x * x * x)));
}
double geluSlope(double x) {
    const double t = std::tanh(kRoot2OverPi * (x + kCubic * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kRoot2OverPi * (1 + 3 * kCubic * x * x);
}

}  // namespace

Status swigluForwardReference(const ActivationArgs& a) {
    for (int64_t r = 0; r < a.rows; ++r)
        for (int c = 0; c < a.F; ++c) {
            const double gate = valueAt(a.inner, r * 2 * a.F + c, a.dtype);
            const double up = valueAt(a.inner, r * 2 * a.F + a.F + c, a.dtype);
            setValue(a.product, r * a.F + c, a.dtype, gate * sigmoid(gate) * up);
        }
    return {};
}

Status geluForwardReference(const ActivationArgs& a) {
    for (int64_t i = 0; i < a.rows * a.F; ++i)
        setValue(a.product, i, a.dtype, gelu(valueAt(a.inner, i, a.dtype)));
    return {};
}

Status swigluBackwardReference(const ActivationBackwardArgs& a) {
    for (int64_t r = 0; r < a.rows; ++r)
        for (int c = 0; c < a.F; ++c) {
            const int64_t at = r * 2 * a.F + c;
            const double gate = valueAt(a.inner, at, a.dtype), up = valueAt(a.inner, at + a.F, a.dtype);
            const double g = valueAt(a.gradientProduct, r * a.F + c, a.dtype), s = sigmoid(gate);
            if (a.product != nullptr)
                setValue(a.product, r * a.F + c, a.dtype, gate * s * up);
            setValue(a.inner, at, a.dtype, g * up * (s + gate * s * (1 - s)));
            setValue(a.inner, at + a.F, a.dtype, g * gate * s);
        }
    return {};
}

Status geluBackwardReference(const ActivationBackwardArgs& a) {
    for (int64_t i = 0; i < a.rows * a.F; ++i) {
        const double x = valueAt(a.inner, i, a.dtype);
        if (a.product != nullptr)
            setValue(a.product, i, a.dtype, gelu(x));
        setValue(a.inner, i, a.dtype, valueAt(a.gradientProduct, i, a.dtype) * geluSlope(x));
    }
    return {};
}

}  // namespace unmask::kernels
