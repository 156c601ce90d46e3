// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/strata.h"

#include <algorithm>
#include <numeric>

namespace unmask {

std::vector<int64_t> permutedStrata(const NoiseKeys& keys, int64_t step, int64_t slots) {
    std::vector<uint64_t> key(static_cast<size_t>(slots));
    for (int64_t j = 0; j < slots; ++j)
        key[static_cast<size_t>(j)] =
            keys.bits64(NoiseTag::stratum, static_cast<uint64_t>(step), static_cast<uint64_t>(j));
    std::vector<int64_t> order(key.size());
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return key[static_cast<size_t>(a)] < key[static_cast<size_t>(b)]; });
    return order;
}

int64_t stratifiedCount(int64_t stratum, uint32_t r, int64_t maskable, int64_t slots) {
    __extension__ using Wide = unsigned __int128;
    const Wide place = (static_cast<Wide>(stratum) << 32) + r;
    const Wide width = static_cast<Wide>(slots) << 32;
    return 1 + static_cast<int64_t>(place * static_cast<Wide>(maskable) / width);
}

}  // namespace unmask
