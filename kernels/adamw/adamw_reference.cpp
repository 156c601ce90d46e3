// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>

#include "kernels/adamw/adamw.h"
#include "kernels/common/host_values.h"
#include "kernels/common/stochastic_rounding.h"

namespace unmask::kernels {

namespace {

void setRounded(void* buffer, int64_t index, double value, uint32_t random) {
    const auto single = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    static_cast<uint16_t*>(buffer)[index] = roundStochastically(bits, random);
}

void updateElement(const AdamWArgs& a, uint32_t number, int64_t i) {
    const AdamWSlab& slab = a.slabs[number];
    const UpdateScalars& s = *a.scalars;
    double w = slab.master != nullptr ? slab.master[i] : valueAt(slab.weights, i, a.dtype);
    const double g = valueAt(slab.gradients, i, a.gradientDtype) * s.gradientFactor;
    const double m = a.beta1 * valueAt(slab.m, i, a.momentDtype) + (1.0 - a.beta1) * g;
    const double v = a.beta2 * valueAt(slab.v, i, a.momentDtype) + (1.0 - a.beta2) * g * g;
    const double decay = i < slab.matrixElements ? double{s.learningRate} * a.weightDecay : 0;
    w -= decay * w + s.learningRate * (m / s.biasCorrection1) / (std::sqrt(v / s.biasCorrection2) + a.epsilon);
    const RoundingBits random = roundingBits(i, number, s.update, a.seed, a.tag);
    const auto store = [&](void* to, DType type, double value, bool stochastic, const PhiloxBlock& bits) {
        if (stochastic)
            setRounded(to, i, value, randomOf(bits, static_cast<int>(i % 8)));
        else
            setValue(to, i, type, value);
    };
    store(slab.m, a.momentDtype, m, a.momentDtype == DType::bfloat16, random.m);
    store(slab.v, a.momentDtype, v, a.momentDtype == DType::bfloat16, random.v);
    if (slab.master != nullptr)
        slab.master[i] = static_cast<float>(w);
    store(slab.weights, a.dtype, w, a.dtype == DType::bfloat16 && slab.master == nullptr, random.weights);
}

}  // namespace

Status adamwReference(const AdamWArgs& a) {
    for (int number = 0; number < a.slabCount && a.scalars->finite != 0; ++number)
        for (int64_t i = 0; i < a.slabs[number].count; ++i)
            updateElement(a, static_cast<uint32_t>(number), i);
    return {};
}

Status gradientNormReference(const NormArgs& a) {
    double total = 0;
    for (int number = 0; number < a.slabCount; ++number)
        for (int64_t i = 0; i < a.slabs[number].count; ++i) {
            const double g = valueAt(a.slabs[number].gradients, i, a.dtype);
            total += g * g;
        }
    UpdateScalars& s = *a.scalars;
    s.norm = std::sqrt(total) / s.gradientScale;
    s.finite = std::isfinite(s.norm) && (a.loss == nullptr || std::isfinite(*a.loss)) ? 1 : 0;
    s.gradientFactor = static_cast<float>((a.clip > 0 && s.norm > a.clip ? a.clip / s.norm : 1) / s.gradientScale);
    if (s.dynamicScale == 0)
        return {};
    if (!std::isfinite(s.norm)) {
        s.gradientScale = std::max(s.gradientScale / 2, 1.0f);
        s.goodUpdates = 0;
    } else if (++s.goodUpdates == kGoodUpdates) {
        s.gradientScale = std::min(s.gradientScale * 2, kLargestGradientScale);
        s.goodUpdates = 0;
    }
    return {};
}

}  // namespace unmask::kernels
