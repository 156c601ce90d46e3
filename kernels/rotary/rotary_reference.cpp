// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernels/common/host_values.h"
#include "kernels/rotary/rotary.h"

namespace unmask::kernels {

Status rotaryReference(const RotaryArgs& a) {
    const int half = a.D / 2;
    for (int64_t r = 0; r < a.rows; ++r)
        for (int h = 0; h < a.heads; ++h)
            for (int c = 0; c < half; ++c) {
                const int64_t at = r * a.stride + int64_t{h} * a.D + c;
                const float* const angles = a.table + int64_t{a.positions[r]} * a.D;
                const double cosine = angles[c], sine = a.inverse ? -angles[half + c] : angles[half + c];
                const double first = valueAt(a.x, at, a.dtype), second = valueAt(a.x, at + half, a.dtype);
                setValue(a.x, at, a.dtype, first * cosine - second * sine);
                setValue(a.x, at + half, a.dtype, second * cosine + first * sine);
            }
    return {};
}

Status headNormForwardReference(const HeadNormArgs& a) {
    for (int64_t r = 0; r < a.rows; ++r)
        for (int h = 0; h < a.heads; ++h) {
            const int64_t at = r * a.stride + int64_t{h} * a.D, item = r * a.heads + h;
            double square = 0;
            for (int c = 0; c < a.D; ++c) {
                const double value = valueAt(a.x, at + c, a.dtype);
                setValue(a.raw, item * a.D + c, a.dtype, value);
                square += value * value / a.D;
            }
            const double rstd = 1 / std::sqrt(square + a.epsilon);
            a.rstd[item] = static_cast<float>(rstd);
            for (int c = 0; c < a.D; ++c)
                setValue(a.x, at + c, a.dtype,
                         valueAt(a.raw, item * a.D + c, a.dtype) * rstd * valueAt(a.weight, c, a.dtype));
        }
    return {};
}

Status headNormBackwardReference(const HeadNormBackwardArgs& a) {
    double weightGradient[256] = {};
    for (int64_t r = 0; r < a.rows; ++r)
        for (int h = 0; h < a.heads; ++h) {
            const int64_t at = r * a.stride + int64_t{h} * a.D, item = r * a.heads + h;
            const double rstd = a.rstd[item];
            double dot = 0;
            for (int c = 0; c < a.D; ++c) {
                const double g = valueAt(a.gradient, at + c, a.dtype);
                const double hat = valueAt(a.raw, item * a.D + c, a.dtype) * rstd;
                weightGradient[c] += g * hat;
                dot += g * valueAt(a.weight, c, a.dtype) * hat / a.D;
            }
            for (int c = 0; c < a.D; ++c) {
                const double hat = valueAt(a.raw, item * a.D + c, a.dtype) * rstd;
                const double g = valueAt(a.gradient, at + c, a.dtype) * valueAt(a.weight, c, a.dtype);
                setValue(a.gradient, at + c, a.dtype, rstd * (g - hat * dot));
            }
        }
    for (int c = 0; c < a.D; ++c)
        setValue(a.weightGradient, c, a.gradientDtype,
                 valueAt(a.weightGradient, c, a.gradientDtype) + weightGradient[c]);
    return {};
}

}  // namespace unmask::kernels
