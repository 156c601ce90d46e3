// SPDX-License-Identifier: Apache-2.0
// Normal random numbers for initial weights, each a function of (seed, parameter number, element) alone.
#pragma once

#include <cstdint>

#include "engine/base/noise_keys.h"

namespace unmask {

// Elements 2·pair and 2·pair + 1, standard normal, by Box and Muller's transform.
struct NormalPair {
    double first, second;
};
NormalPair initialNormals(const NoiseKeys& keys, uint64_t parameter, uint64_t pair);

}  // namespace unmask
