// SPDX-License-Identifier: Apache-2.0
// Defines the result. Host pointers; sums in double.
#include <cmath>
#include <vector>

#include "kernels/common/host_values.h"
#include "kernels/residual_norm/residual_norm.h"

namespace unmask::kernels {

Status residualNormForwardReference(const ResidualNormArgs& a) {
    std::vector<double> row(static_cast<size_t>(a.C));
    for (int64_t r = 0; r < a.rows; ++r) {
        double mean = 0, square = 0;
        for (int c = 0; c < a.C; ++c) {
            auto& value = row[static_cast<size_t>(c)];
            value = valueAt(a.x, r * a.C + c, a.dtype);
            if (a.delta != nullptr)
                value += valueAt(a.delta, r * a.C + c, a.dtype);
            mean += value / a.C;
        }
        if (a.mean == nullptr)
            mean = 0;
        for (const double value : row)
            square += (value - mean) * (value - mean) / a.C;
        const double rstd = 1 / std::sqrt(square + a.epsilon);
        if (a.rstd != nullptr)
            a.rstd[r] = static_cast<float>(rstd);
        if (a.mean != nullptr)
            a.mean[r] = static_cast<float>(mean);
        for (int c = 0; c < a.C; ++c) {
            const double value = row[static_cast<size_t>(c)];
            const double bias = a.bias != nullptr ? valueAt(a.bias, c, a.dtype) : 0;
            if (a.sum != nullptr)
                setValue(a.sum, r * a.C + c, a.dtype, value);
            setValue(a.y, r * a.C + c, a.dtype, (value - mean) * rstd * valueAt(a.weight, c, a.dtype) + bias);
        }
    }
    return {};
}

Status residualNormBackwardReference(const ResidualNormBackwardArgs& a) {
    std::vector<double> weightGradient(static_cast<size_t>(a.C)), biasGradient(static_cast<size_t>(a.C));
    for (int64_t r = 0; r < a.rows; ++r) {
        const double mean = a.mean != nullptr ? a.mean[r] : 0, rstd = a.rstd[r];
        double dot = 0, flat = 0;
        const auto hat = [&](int c) { return (valueAt(a.sum, r * a.C + c, a.dtype) - mean) * rstd; };
        const auto incoming = [&](int c) { return valueAt(a.gradientY, r * a.C + c, a.dtype); };
        for (int c = 0; c < a.C; ++c) {
            const double weighted = incoming(c) * valueAt(a.weight, c, a.dtype);
            dot += weighted * hat(c) / a.C;
            flat += a.mean != nullptr ? weighted / a.C : 0;
            weightGradient[static_cast<size_t>(c)] += incoming(c) * hat(c);
            biasGradient[static_cast<size_t>(c)] += incoming(c);
        }
        for (int c = 0; c < a.C; ++c) {
            const double bias = a.bias != nullptr ? valueAt(a.bias, c, a.dtype) : 0;
            const double y = hat(c) * valueAt(a.weight, c, a.dtype) + bias;
            const double own = rstd * (incoming(c) * valueAt(a.weight, c, a.dtype) - flat - hat(c) * dot);
            setValue(a.gradient, r * a.C + c, a.dtype, valueAt(a.gradient, r * a.C + c, a.dtype) + own);
            if (a.y != nullptr)
                setValue(a.y, r * a.C + c, a.dtype, y);
        }
    }
    const auto add = [&](void* to, const std::vector<double>& from) {
        for (int c = 0; c < a.C; ++c)
            setValue(to, c, a.gradientDtype, valueAt(to, c, a.gradientDtype) + from[static_cast<size_t>(c)]);
    };
    add(a.weightGradient, weightGradient);
    if (a.biasGradient != nullptr)
        add(a.biasGradient, biasGradient);
    return {};
}

}  // namespace unmask::kernels
