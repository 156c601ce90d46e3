// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/inverse_t.h"

#include <cmath>

namespace unmask {

MaskedDiffusion::Draw InverseT::draw(const Level& level, int64_t maskable) const {
    const double u = (static_cast<double>(level.stratum) + static_cast<double>(level.place) * 0x1p-32) /
                     static_cast<double>(level.strata);
    const double t = (1 - m_noiseFloor) * u + m_noiseFloor;
    return {.maskable = maskable, .threshold = static_cast<uint64_t>(std::floor(t * 0x1p32)), .weight = 1 / t};
}

void InverseT::chooseMasked(const SampleSlot& slot, const Draw& draw, std::vector<int32_t>& positions) const {
    for (int64_t i = 0; i < draw.maskable; ++i)
        if (maskKey(slot, i) < draw.threshold)
            positions.push_back(static_cast<int32_t>(i));
}

}  // namespace unmask
