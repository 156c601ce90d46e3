// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernels/common/host_values.h"
#include "kernels/rotary/rotary.h"

namespace unmask::kernels {

namespace {

// Turns D values by the row's position; none without a table.
template <class Args>
void turnHead(const Args& a, double* x, int64_t row, bool inverse) {
    if (a.table == nullptr)
        return;
    const int half = a.D / 2;
    const float* const angles = a.table + int64_t{a.positions[row]} * a.D;
    for (int c = 0; c < half; ++c) {
        const double cosine = angles[c], sine = inverse ? -angles[half + c] : angles[half + c];
        const double first = x[c], second = x[c + half];
        x[c] = first * cosine - second * sine;
        x[c + half] = second * cosine + first * sine;
    }
}

}  // namespace

Status rotaryReference(const RotaryArgs& a) {
    double head[256];
    for (int64_t r = 0; r < a.rows; ++r)
        for (int h = 0; h < a.heads; ++h) {
            const int64_t at = r * a.stride + int64_t{h} * a.D;
            for (int c = 0; c < a.D; ++c)
                head[c] = valueAt(a.x, at + c, a.dtype);
            turnHead(a, head, r, a.inverse);
            for (int c = 0; c < a.D; ++c)
                setValue(a.x, at + c, a.dtype, head[c]);
        }
    return {};
}

Status headNormForwardReference(const HeadNormArgs& a) {
    double head[256];
    for (int64_t r = 0; r < a.rows; ++r)
        for (int h = 0; h < a.heads; ++h) {
            const int64_t at = r * a.stride + int64_t{h} * a.D, item = r * a.heads + h;
            double square = 0;
            for (int c = 0; c < a.D; ++c) {
                head[c] = valueAt(a.x, at + c, a.dtype);
                setValue(a.raw, item * a.D + c, a.dtype, head[c]);
                square += head[c] * head[c] / a.D;
            }
            const double rstd = 1 / std::sqrt(square + a.epsilon);
            a.rstd[item] = static_cast<float>(rstd);
            for (int c = 0; c < a.D; ++c)
                head[c] *= rstd * valueAt(a.weight, c, a.dtype);
            turnHead(a, head, r, false);
            for (int c = 0; c < a.D; ++c)
                setValue(a.x, at + c, a.dtype, head[c]);
        }
    return {};
}

Status headNormBackwardReference(const HeadNormBackwardArgs& a) {
    double weightGradient[256] = {}, head[256];
    for (int64_t r = 0; r < a.rows; ++r)
        for (int h = 0; h < a.heads; ++h) {
            const int64_t at = r * a.stride + int64_t{h} * a.D, item = r * a.heads + h;
            const double rstd = a.rstd[item];
            const auto hat = [&](int c) { return valueAt(a.raw, item * a.D + c, a.dtype) * rstd; };
            for (int c = 0; c < a.D; ++c)
                head[c] = valueAt(a.gradient, at + c, a.dtype);
            turnHead(a, head, r, true);
            double dot = 0;
            for (int c = 0; c < a.D; ++c) {
                weightGradient[c] += head[c] * hat(c);
                head[c] *= valueAt(a.weight, c, a.dtype);
                dot += head[c] * hat(c) / a.D;
            }
            for (int c = 0; c < a.D; ++c)
                setValue(a.gradient, at + c, a.dtype, rstd * (head[c] - hat(c) * dot));
        }
    for (int c = 0; c < a.D; ++c)
        setValue(a.weightGradient, c, a.gradientDtype,
                 valueAt(a.weightGradient, c, a.gradientDtype) + weightGradient[c]);
    return {};
}

}  // namespace unmask::kernels
