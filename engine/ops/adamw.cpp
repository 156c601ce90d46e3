// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/adamw.h"

#include <cmath>

#include "engine/ops/checks.h"
#include "engine/ops/cpu/kernels.h"

namespace unmask {

void adamwUpdate(const Slab& slab, const AdamWArgs& args) {
    const int64_t n = slab.values.numel();
    ops::require(ops::isVector(slab.values, n) && ops::isVector(slab.gradients, n) && ops::isVector(args.m, n) &&
                     ops::isVector(args.v, n),
                 "adamw", "slab, gradients and moments must have one length");
    ops::require(!ops::onGpu(slab.values, "adamw"), "adamw", "a slab on a GPU is updated by ops/device_update.h");
    cpu::adamwUpdate(slab, args);
}

double gradientNorm(const std::vector<Slab>& slabs) {
    double sum = 0;
    for (const Slab& slab : slabs) {
        ops::require(!ops::onGpu(slab.gradients, "gradient norm"), "gradient norm", "the slab lies on a GPU");
        sum += cpu::sumOfSquares(slab.gradients);
    }
    return std::sqrt(sum);
}

}  // namespace unmask
