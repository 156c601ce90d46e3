// SPDX-License-Identifier: Apache-2.0
#include "engine/model/initial_weights.h"

#include <cmath>
#include <numbers>

namespace unmask {

NormalPair initialNormals(const NoiseKeys& keys, uint64_t parameter, uint64_t pair) {
    const uint64_t bits = keys.bits64(NoiseTag::initial, parameter, pair);
    const double radius = std::sqrt(-2 * std::log(uniformOpen(static_cast<uint32_t>(bits))));
    const double angle = 2 * std::numbers::pi * uniformOpen(static_cast<uint32_t>(bits >> 32));
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace unmask
