// SPDX-License-Identifier: Apache-2.0
// AdamW with decoupled weight decay (Loshchilov and Hutter 2019) over one slab, and the global gradient norm.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/ops/slab.h"

namespace unmask {

struct AdamWArgs {
    at::Tensor m, v;  // (elements) moments
    double learningRate = 0;
    double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8;
    double weightDecay = 0;    // acts on the slab's matrices alone
    double gradientScale = 1;  // clip factor
    int64_t updates = 1;       // this one included, for bias correction
};
void adamwUpdate(const Slab& slab, const AdamWArgs& args);

// Square root of the sum of squares of all gradients, summed in double in a fixed order. Not finite if any is not.
double gradientNorm(const std::vector<Slab>& slabs);

}  // namespace unmask
