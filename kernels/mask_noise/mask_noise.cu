// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/device.cuh"
#include "kernels/mask_noise/mask_noise.h"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMostLength = 16384;

// One block of Philox4x32-10 gives the keys of four positions; engine/base/noise_keys is the reference.
__device__ uint4 philox(uint64_t seed, uint32_t tag, uint64_t index, uint32_t visit, uint32_t quad) {
    uint32_t c0 = quad, c1 = static_cast<uint32_t>(index);
    uint32_t c2 = (static_cast<uint32_t>(index >> 32) << 16) | (visit & 0xFFFFu), c3 = tag;
    uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const uint32_t high0 = __umulhi(0xD2511F53u, c0), low0 = 0xD2511F53u * c0;
        const uint32_t high1 = __umulhi(0xCD9E8D57u, c2), low1 = 0xCD9E8D57u * c2;
        c0 = high1 ^ c1 ^ k0, c1 = low1, c2 = high0 ^ c3 ^ k1, c3 = low0;
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    return make_uint4(c0, c1, c2, c3);
}

// Sum of x over the block; every thread gets it.
__device__ int blockSum(int x, int* parts) {
    x = __reduce_add_sync(0xFFFFFFFFu, x);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = x;
    __syncthreads();
    int total = 0;
    for (int w = 0; w < kWarps; ++w)
        total += parts[w];
    return total;
}

// A block a sample. The n-th smallest key is found bit by bit from the top (32 counting rounds over keys in shared
// memory); ties in the key go to the lower position, as the 64-bit key (key << 32 | position) of the reference does.
__global__ void maskKernel(MaskNoiseArgs a) {
    extern __shared__ uint32_t keys[];
    __shared__ int parts[kWarps];
    __shared__ int placed, tiesPlaced;
    const MaskSegment segment = a.segments[blockIdx.x];
    for (int quad = threadIdx.x; quad * 4 < segment.length; quad += kThreads) {
        const uint4 block = philox(a.seed, a.tag, static_cast<uint64_t>(segment.datasetIndex),
                                   static_cast<uint32_t>(segment.visit), static_cast<uint32_t>(quad));
        keys[4 * quad] = block.x;
        keys[4 * quad + 1] = block.y;
        keys[4 * quad + 2] = block.z;
        keys[4 * quad + 3] = block.w;
    }
    __syncthreads();
    uint32_t threshold = 0;  // the n-th smallest key
    int below = 0;           // keys smaller than it
    for (int bit = 31; bit >= 0 && segment.count > 0; --bit) {
        const uint32_t candidate = threshold | (1u << bit);
        int smaller = 0;
        for (int i = threadIdx.x; i < segment.length; i += kThreads)
            smaller += keys[i] < candidate ? 1 : 0;
        const int total = blockSum(smaller, parts);
        if (total < segment.count) {
            threshold = candidate;
            below = total;
        }
    }
    const int tiesWanted = segment.count - below;
    if (threadIdx.x == 0)
        placed = 0, tiesPlaced = 0;
    __syncthreads();
    // Positions in order, a block of kThreads at a time, so rows come out ascending.
    for (int start = 0; start < segment.length; start += kThreads) {
        const int i = start + static_cast<int>(threadIdx.x);
        const bool inside = i < segment.length;
        const bool tie = inside && segment.count > 0 && keys[i] == threshold;
        const unsigned lanesBefore = (1u << (threadIdx.x % 32)) - 1;
        const unsigned tieBallot = __ballot_sync(0xFFFFFFFFu, tie);
        if (threadIdx.x % 32 == 0)
            parts[threadIdx.x / 32] = __popc(tieBallot);
        __syncthreads();
        int tieRank = tiesPlaced + __popc(tieBallot & lanesBefore), ties = 0;
        for (int w = 0; w < kWarps; ++w) {
            if (w < static_cast<int>(threadIdx.x / 32))
                tieRank += parts[w];
            ties += parts[w];
        }
        __syncthreads();
        const bool masked = inside && segment.count > 0 && (keys[i] < threshold || (tie && tieRank < tiesWanted));
        const unsigned ballot = __ballot_sync(0xFFFFFFFFu, masked);
        if (threadIdx.x % 32 == 0)
            parts[threadIdx.x / 32] = __popc(ballot);
        __syncthreads();
        int rank = placed + __popc(ballot & lanesBefore), count = 0;
        for (int w = 0; w < kWarps; ++w) {
            if (w < static_cast<int>(threadIdx.x / 32))
                rank += parts[w];
            count += parts[w];
        }
        if (inside) {
            const int position = segment.begin + i;
            const int32_t token = a.tokens[position];
            a.noisy[position] = masked ? a.maskId : token;
            const int place = segment.firstRow + rank;
            if (masked && place < a.capacity) {
                a.rows[place] = position;
                a.targets[place] = token;
                a.weights[place] = segment.weight;
            }
        }
        __syncthreads();
        if (threadIdx.x == 0)
            placed += count, tiesPlaced += ties;
        __syncthreads();
    }
}

__global__ void prepareKernel(MaskNoiseArgs a) {
    const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < a.positions)
        a.noisy[i] = a.tokens[i];
    if (i < a.capacity)
        a.rows[i] = -1, a.targets[i] = -1, a.weights[i] = 0;
}

}  // namespace

Status maskNoise(const MaskNoiseArgs& a, Stream stream) {
    if (a.positions < 0 || a.segmentCount < 0 || a.capacity < 0)
        return {"mask_noise: sizes must not be negative"};
    const int64_t most = a.positions > a.capacity ? a.positions : a.capacity;
    if (most == 0)
        return {};
    prepareKernel<<<static_cast<unsigned>((most + kThreads - 1) / kThreads), kThreads, 0, stream>>>(a);
    if (a.segmentCount > 0) {
        constexpr int kShared = kMostLength * static_cast<int>(sizeof(uint32_t));
        cudaFuncSetAttribute(maskKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
        maskKernel<<<static_cast<unsigned>(a.segmentCount), kThreads, kShared, stream>>>(a);
    }
    return launched();
}

}  // namespace unmask::kernels
