// SPDX-License-Identifier: Apache-2.0
#include "kernels/mask_noise/mask_noise.h"

#include <algorithm>

#include "kernels/common/device.cuh"
#include "kernels/common/philox.h"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 1024;
constexpr int kMostLength = 16384;
constexpr int kBins = 256;

// Inclusive sum over the lanes of a warp.
__device__ int warpScan(int x) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        const int other = __shfl_up_sync(0xFFFFFFFFu, x, offset);
        x += lane >= offset ? other : 0;
    }
    return x;
}

struct Threshold {
    uint32_t key;  // the n-th smallest
    int wanted;    // how many keys equal to it belong to the n smallest
};

// Radix selection from the top: keys that agree with the digits found so far are counted by their next eight bits.
__device__ Threshold select(const uint32_t* keys, int length, int count, int* bins) {
    __shared__ Threshold found;
    Threshold threshold{0, count};
    for (int shift = 24; shift >= 0; shift -= 8) {
        for (int i = threadIdx.x; i < kBins; i += kThreads)
            bins[i] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < length; i += kThreads)
            if (shift == 24 || keys[i] >> (shift + 8) == threshold.key >> (shift + 8))
                atomicAdd(bins + (keys[i] >> shift & (kBins - 1)), 1);
        __syncthreads();
        if (threadIdx.x < 32) {
            constexpr int kOwn = kBins / 32;
            int own = 0;
            for (int i = 0; i < kOwn; ++i)
                own += bins[threadIdx.x * kOwn + i];
            int before = warpScan(own) - own;
            if (before < threshold.wanted && before + own >= threshold.wanted)
                for (int i = 0; i < kOwn; ++i) {
                    const int digit = static_cast<int>(threadIdx.x) * kOwn + i, here = bins[digit];
                    if (before < threshold.wanted && before + here >= threshold.wanted)
                        found = {threshold.key | static_cast<uint32_t>(digit) << shift, threshold.wanted - before};
                    before += here;
                }
        }
        __syncthreads();
        threshold = found;
    }
    return threshold;
}

// A block a sample. Ties in the key go to the lower position, as the 64-bit key (key << 32 | position) of the reference
// has it.
__device__ void maskSegment(const MaskNoiseArgs& a, const MaskSegment& segment) {
    extern __shared__ uint32_t keys[];
    __shared__ int bins[kBins];
    __shared__ int parts[32];
    for (int quad = threadIdx.x; quad * 4 < segment.length; quad += kThreads) {
        // engine/base/noise_keys is the reference of this counter.
        const auto index = static_cast<uint64_t>(segment.datasetIndex);
        const PhiloxBlock block = philox(
            static_cast<uint32_t>(quad), static_cast<uint32_t>(index),
            static_cast<uint32_t>(index >> 32) << 16 | (static_cast<uint32_t>(segment.visit) & 0xFFFFu), a.tag, a.seed);
        for (int i = 0; i < 4; ++i)
            keys[4 * quad + i] = block.words[i];
    }
    __syncthreads();
    const Threshold threshold = segment.count > 0 ? select(keys, segment.length, segment.count, bins) : Threshold{0, 0};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned lanesBefore = (1u << lane) - 1;
    int smaller = 0, equal = 0;  // keys below and at the threshold so far
    // Positions in order, a block of kThreads at a time, so rows come out ascending.
    for (int start = 0; start < segment.length; start += kThreads) {
        const int i = start + static_cast<int>(threadIdx.x);
        const bool inside = i < segment.length && segment.count > 0;
        const bool below = inside && keys[i] < threshold.key, tie = inside && keys[i] == threshold.key;
        const unsigned belowBallot = __ballot_sync(0xFFFFFFFFu, below), tieBallot = __ballot_sync(0xFFFFFFFFu, tie);
        if (lane == 0)
            parts[warp] = __popc(belowBallot) << 16 | __popc(tieBallot);
        __syncthreads();
        const int scanned = warpScan(parts[lane]);
        const int all = __shfl_sync(0xFFFFFFFFu, scanned, 31);
        const int before = warp == 0 ? 0 : __shfl_sync(0xFFFFFFFFu, scanned, warp - 1);
        const int tieRank = equal + (before & 0xFFFF) + __popc(tieBallot & lanesBefore);
        const int rank = smaller + (before >> 16) + __popc(belowBallot & lanesBefore) + min(tieRank, threshold.wanted);
        if (i < segment.length) {
            const bool masked = below || (tie && tieRank < threshold.wanted);
            const int position = segment.begin + i, place = segment.firstRow + rank;
            const int32_t token = a.tokens[position];
            a.noisy[position] = masked ? a.maskId : token;
            if (masked && place < a.capacity) {
                a.rows[place] = position;
                a.targets[place] = token;
                a.weights[place] = segment.weight;
            }
        }
        smaller += all >> 16, equal += all & 0xFFFF;
        __syncthreads();
    }
}

// The last segment whose `first` is not above a value, or -1.
template <class First>
__device__ int lastNotAbove(const MaskNoiseArgs& a, int64_t value, First first) {
    int low = -1, high = a.segmentCount - 1;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (first(a.segments[middle]) <= value)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// What no segment writes: positions between them and places of unused rows.
__device__ void fillRest(const MaskNoiseArgs& a, int64_t i) {
    if (i < a.positions) {
        const int s = lastNotAbove(a, i, [](const MaskSegment& segment) { return segment.begin; });
        if (s < 0 || i >= a.segments[s].begin + a.segments[s].length)
            a.noisy[i] = a.tokens[i];
    }
    if (i < a.capacity) {
        const int s = lastNotAbove(a, i, [](const MaskSegment& segment) { return segment.firstRow; });
        if (s < 0 || i >= a.segments[s].firstRow + a.segments[s].count)
            a.rows[i] = -1, a.targets[i] = -1, a.weights[i] = 0;
    }
}

__global__ void __launch_bounds__(kThreads) maskKernel(MaskNoiseArgs a) {
    const int block = static_cast<int>(blockIdx.x);
    if (block < a.segmentCount)
        maskSegment(a, a.segments[block]);
    else
        fillRest(a, int64_t{block - a.segmentCount} * kThreads + threadIdx.x);
}

}  // namespace

Status maskNoise(const MaskNoiseArgs& a, Stream stream) {
    if (a.positions < 0 || a.segmentCount < 0 || a.capacity < 0)
        return {"mask_noise: sizes must not be negative"};
    const int64_t rest = (std::max<int64_t>(a.positions, a.capacity) + kThreads - 1) / kThreads;
    const auto blocks = static_cast<unsigned>(a.segmentCount + rest);
    if (blocks == 0)
        return {};
    constexpr int kShared = kMostLength * static_cast<int>(sizeof(uint32_t));
    cudaFuncSetAttribute(maskKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    maskKernel<<<blocks, kThreads, kShared, stream>>>(a);
    return launched();
}

}  // namespace unmask::kernels
