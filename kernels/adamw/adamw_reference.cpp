// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernels/adamw/adamw.h"
#include "kernels/common/host_values.h"

namespace unmask::kernels {

Status adamwReference(const AdamWArgs& a) {
    const UpdateScalars& s = *a.scalars;
    for (int64_t i = 0; i < a.count && s.finite != 0; ++i) {
        double w = a.master != nullptr ? a.master[i] : valueAt(a.weights, i, a.dtype);
        const double g = valueAt(a.gradients, i, a.gradientDtype) * s.clipFactor;
        const double m = a.beta1 * double{a.m[i]} + (1.0 - a.beta1) * g;
        const double v = a.beta2 * double{a.v[i]} + (1.0 - a.beta2) * g * g;
        const double decay = i < a.matrixElements ? double{s.learningRate} * a.weightDecay : 0;
        w -= decay * w +
             s.learningRate * (m / s.biasCorrection1) / (std::sqrt(v / s.biasCorrection2) + a.epsilon);
        a.m[i] = static_cast<float>(m);
        a.v[i] = static_cast<float>(v);
        if (a.master != nullptr)
            a.master[i] = static_cast<float>(w);
        setValue(a.weights, i, a.dtype, w);
    }
    return {};
}

double gradientSquaresReference(const NormArgs& a) {
    double total = 0;
    for (int64_t i = 0; i < a.count; ++i) {
        const double g = valueAt(a.gradients, i, a.dtype);
        total += g * g;
    }
    return total;
}

}  // namespace unmask::kernels
