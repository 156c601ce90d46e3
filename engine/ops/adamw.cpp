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
    ops::requireCpu(slab.values, "adamw");
    cpu::adamwUpdate(slab, args);
}

double gradientNorm(const std::vector<Slab>& slabs) {
    double sum = 0;
    for (const Slab& slab : slabs) {
        ops::requireCpu(slab.gradients, "gradient norm");
        sum += cpu::sumOfSquares(slab.gradients);
    }
    return std::sqrt(sum);
}

}  // namespace unmask
