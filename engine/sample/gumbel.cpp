// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/gumbel.h"

#include <algorithm>
#include <cmath>

namespace unmask {

namespace {
// A request has its own seed: the counter has no room left beside step (16 bits), position and token (32 bits each).
uint64_t seedOfRequest(uint64_t seed, uint64_t request) {
    return NoiseKeys(seed).bits64(NoiseTag::sampling, request & 0xFFFFFFFFFFFFu, 0);
}
}  // namespace

GumbelNoise::GumbelNoise(uint64_t seed, uint64_t request) : m_keys(seedOfRequest(seed, request)) {}

double GumbelNoise::at(uint32_t step, uint32_t position, uint32_t token) const {
    const uint64_t place = (uint64_t{step & 0xFFFFu} << 32) | position;
    return gumbelFromBits(m_keys.bits64(NoiseTag::sampling, place, token));
}

double gumbelFromBits(uint64_t bits) {
    const double v = std::min((static_cast<double>(bits) + 0.5) * 0x1p-64, 1 - 0x1p-53);
    return -std::log(-std::log1p(-v));
}

}  // namespace unmask
