// SPDX-License-Identifier: Apache-2.0
#include "engine/base/noise_keys.h"

namespace unmask {

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> c, std::array<uint32_t, 2> k) {
    for (int round = 0; round < 10; ++round) {
        const uint64_t p0 = uint64_t{0xD2511F53u} * c[0];
        const uint64_t p1 = uint64_t{0xCD9E8D57u} * c[2];
        c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(p1),
             static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(p0)};
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    return c;
}

namespace {
std::array<uint32_t, 4> block(uint64_t seed, NoiseTag tag, uint64_t index, uint32_t visit, uint64_t quad) {
    const uint32_t high = (static_cast<uint32_t>(index >> 32) << 16) | (visit & 0xFFFFu);
    return philox4x32({static_cast<uint32_t>(quad), static_cast<uint32_t>(index), high, static_cast<uint32_t>(tag)},
                      {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
}
}  // namespace

uint32_t NoiseKeys::bits32(NoiseTag tag, uint64_t datasetIndex, uint32_t visit, uint64_t position) const {
    return block(m_seed, tag, datasetIndex, visit, position / 4)[position % 4];
}

uint64_t NoiseKeys::bits64(NoiseTag tag, uint64_t a, uint64_t b) const {
    const auto words = block(m_seed, tag, a, 0, b);
    return (uint64_t{words[1]} << 32) | words[0];
}

}  // namespace unmask
