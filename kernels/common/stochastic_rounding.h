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

// Random bits of eight elements of a slab at an update, 16 for each of three values: weights, m and v. Any two of the
// three are independent: the third is the exclusive or of the others, which saves a third of the work.
struct RoundingBits {
    PhiloxBlock weights, m, v;
};

UNMASK_BOTH_SIDES inline RoundingBits roundingBits(int64_t element, uint32_t slab, int64_t update, uint64_t seed,
                                                   uint32_t tag) {
    const auto pack = static_cast<uint32_t>(element / 8), step = static_cast<uint32_t>(update);
    RoundingBits bits{philox<7>(pack, slab * 2, step, tag, seed), philox<7>(pack, slab * 2 + 1, step, tag, seed), {}};
    for (int i = 0; i < 4; ++i)
        bits.v.words[i] = bits.weights.words[i] ^ bits.m.words[i];
    return bits;
}
UNMASK_BOTH_SIDES inline uint32_t randomOf(const PhiloxBlock& block, int element) {
    return block.words[element % 8 / 2] >> (element % 2 * 16) & 0xFFFFu;
}

}  // namespace unmask::kernels
