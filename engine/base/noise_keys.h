// SPDX-License-Identifier: Apache-2.0
// Noise belongs to the sample: every random number of training is a pure function of (seed, tag, dataset index, visit,
// position). No generator state exists, so nothing has to be saved and no layout can change it. This is the host
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3") and the one list of its tags.
#pragma once

#include <array>
#include <cstdint>

namespace unmask {

// Never renumbered: old runs must replay.
enum class NoiseTag : uint32_t {
    stratum = 1,   // (optimizer step, slot): order of the strata of masked counts
    count = 2,     // (sample, visit): place inside the stratum
    mask = 3,      // (sample, visit, position): which positions are masked
    truncate = 4,  // (sample, visit): variable length
    shuffle = 5,   // (epoch, sample): order of the samples of an epoch
    split = 6,     // (document, piece): validation or training
    initial = 7,   // (parameter number, element): initial weights
    sampling = 8,  // (request, step, position, token): Gumbel noise of the denoising sampler
    rounding = 9,  // (update, slab, element): stochastic rounding of weights and moments on a GPU
};

class NoiseKeys {
 public:
    explicit NoiseKeys(uint64_t seed) : m_seed(seed) {}

    // Word `position mod 4` of the block with counter (position div 4, low 32 bits of index, high 16 bits of index and
    // 16 bits of visit, tag).
    uint32_t bits32(NoiseTag tag, uint64_t datasetIndex, uint32_t visit, uint64_t position) const;
    // Words 0 (low) and 1 (high) of the block for (a, position 4 * b).
    uint64_t bits64(NoiseTag tag, uint64_t a, uint64_t b) const;
    uint64_t seed() const { return m_seed; }

 private:
    uint64_t m_seed;
};

// The raw block function; also the reference for the CUDA kernel.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// Uniform in (0, 1), never 0 or 1: (bits + 0.5) / 2^32.
constexpr double uniformOpen(uint32_t bits) {
    return (static_cast<double>(bits) + 0.5) * 0x1p-32;
}

}  // namespace unmask
