// SPDX-License-Identifier: Apache-2.0
// A float becomes one of its two neighbours in bf16, with a chance for each that makes the mean exact: 16 random bits
// are added below the bits that stay. Infinities and NaN stay what they are.
#pragma once

#include <cstdint>

#include "kernels/common/philox.h"

namespace unmask::kernels {

// Of the bits of a float; random in 0 … 65535.
UNMASK_BOTH_SIDES inline uint16_t roundStochastically(uint32_t floatBits, uint32_t random) {
    const bool nan = (floatBits & 0x7FFFFFFFu) > 0x7F800000u;
    return static_cast<uint16_t>((nan ? floatBits | 0x00400000u : floatBits + random) >> 16);
}

// The 16 random bits for one of three values (0 weight, 1 m, 2 v) of element `element` of a slab at an update. A block
// of Philox serves one of them for eight elements.
UNMASK_BOTH_SIDES inline PhiloxBlock roundingBits(int64_t element, uint32_t slab, int64_t update, uint32_t which,
                                                  uint64_t seed, uint32_t tag) {
    return philox(static_cast<uint32_t>(element / 8), slab * 4 + which, static_cast<uint32_t>(update), tag, seed);
}
UNMASK_BOTH_SIDES inline uint32_t randomOf(const PhiloxBlock& block, int element) {
    return block.words[element % 8 / 2] >> (element % 2 * 16) & 0xFFFFu;
}

}  // namespace unmask::kernels
