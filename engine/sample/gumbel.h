// SPDX-License-Identifier: Apache-2.0
// Gumbel noise in the log domain, keyed by (seed, request, step, position, token) and never by a batch row. LLaDA forms
// exp(z) / (−log u)^T; fp32 noise of that kind silently lowers the temperature (arXiv 2409.02908).
#pragma once

#include <cstdint>

#include "engine/base/noise_keys.h"

namespace unmask {

class GumbelNoise {
 public:
    GumbelNoise(uint64_t seed, uint64_t request);
    // −log(−log1p(−v)), v from 64 random bits with full relative precision near 0, so the upper tail is not cut.
    double at(uint32_t step, uint32_t position, uint32_t token) const;

 private:
    NoiseKeys m_keys;
};

double gumbelFromBits(uint64_t bits);

}  // namespace unmask
