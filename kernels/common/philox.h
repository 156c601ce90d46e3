// SPDX-License-Identifier: Apache-2.0
// Philox4x32 (Salmon et al. 2011) on both sides: one block of four random words is a pure function of counter and key.
// With ten rounds it is the function of engine/base/noise_keys, and a test holds both together; seven are the fewest
// that its authors found to pass all statistical tests.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define UNMASK_BOTH_SIDES __host__ __device__
#else
#define UNMASK_BOTH_SIDES
#endif

namespace unmask::kernels {

struct PhiloxBlock {
    uint32_t words[4];
};

template <int Rounds = 10>
UNMASK_BOTH_SIDES inline PhiloxBlock philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint64_t seed) {
    uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int round = 0; round < Rounds; ++round) {
        const uint64_t a = uint64_t{0xD2511F53u} * c0, b = uint64_t{0xCD9E8D57u} * c2;
        c0 = static_cast<uint32_t>(b >> 32) ^ c1 ^ k0;
        c1 = static_cast<uint32_t>(b);
        c2 = static_cast<uint32_t>(a >> 32) ^ c3 ^ k1;
        c3 = static_cast<uint32_t>(a);
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
}

}  // namespace unmask::kernels
