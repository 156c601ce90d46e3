// SPDX-License-Identifier: Apache-2.0
// Permuted strata of a global batch: slot j draws its noise level from the pi[j]-th of GB equal parts of [0, 1).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/noise_keys.h"

namespace unmask {

// pi = argsort over j of philox64(STRATUM; step, j), ties by j.
std::vector<int64_t> permutedStrata(const NoiseKeys& keys, int64_t step, int64_t slots);

// 1 + ((stratum · 2^32 + r) · maskable) div (slots · 2^32), in 128-bit integers: 1 <= n <= maskable without clamping.
int64_t stratifiedCount(int64_t stratum, uint32_t r, int64_t maskable, int64_t slots);

}  // namespace unmask
