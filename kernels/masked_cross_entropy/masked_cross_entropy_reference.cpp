// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernels/common/host_values.h"
#include "kernels/masked_cross_entropy/masked_cross_entropy.h"

namespace unmask::kernels {

Status maskedCrossEntropyReference(const MaskedCrossEntropyArgs& a) {
    for (int64_t r = 0; r < a.rows; ++r) {
        const auto excluded = [&](int id) { return id >= a.used || id == a.maskId; };
        const auto logit = [&](int64_t id) { return valueAt(a.logits, r * a.V + id, a.dtype); };
        const int64_t target = a.targets[r];
        double top = -INFINITY, sum = 0;
        for (int id = 0; id < a.V; ++id)
            if (!excluded(id))
                top = std::fmax(top, logit(id));
        for (int id = 0; id < a.V; ++id)
            if (!excluded(id))
                sum += std::exp(logit(id) - top);
        const double logSum = top + std::log(sum);
        a.losses[r] = target >= 0 ? logSum - logit(target) : 0;
        if (a.weights == nullptr)
            continue;
        const double weight = target >= 0 ? a.weights[r] * (a.gradientScale != nullptr ? *a.gradientScale : 1) : 0;
        for (int id = 0; id < a.V; ++id) {
            const double p = excluded(id) ? 0 : std::exp(logit(id) - logSum);
            setValue(a.logits, r * a.V + id, a.dtype,
                     weight == 0 ? 0 : weight * (p * (1 + 2 * double{a.zLoss} * logSum) - (id == target ? 1 : 0)));
        }
    }
    return {};
}

}  // namespace unmask::kernels
