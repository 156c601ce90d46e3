// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/exact_count.h"

#include <algorithm>

#include "engine/objective/strata.h"

namespace unmask {

MaskedDiffusion::Draw ExactCount::draw(const Level& level, int64_t maskable) const {
    const int64_t count = stratifiedCount(level.stratum, level.place, maskable, level.strata);
    return {.maskable = maskable, .count = count, .weight = static_cast<double>(maskable) / static_cast<double>(count)};
}

void ExactCount::chooseMasked(const SampleSlot& slot, const Draw& draw, std::vector<int32_t>& positions) const {
    std::vector<uint64_t> keys(static_cast<size_t>(draw.maskable));
    for (size_t i = 0; i < keys.size(); ++i)
        keys[i] = (uint64_t{maskKey(slot, static_cast<int64_t>(i))} << 32) | i;
    const auto end = keys.begin() + static_cast<std::ptrdiff_t>(draw.count);
    std::nth_element(keys.begin(), end - 1, keys.end());
    for (auto key = keys.begin(); key != end; ++key)
        positions.push_back(static_cast<int32_t>(*key & 0xFFFFFFFFu));
    std::sort(positions.begin(), positions.end());
}

}  // namespace unmask
