// SPDX-License-Identifier: Apache-2.0
#include "kernels/masked_cross_entropy/masked_cross_entropy.h"

#include <cooperative_groups.h>

#include <cfloat>
#include <type_traits>

#include "kernels/common/device.cuh"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;
constexpr int kMostBytes = 64 * 1024;  // of a row's part in shared memory: three blocks fit a multiprocessor
constexpr int kMostParts = 8;          // blocks of a cluster that any Hopper device runs

// All exponentials are powers of two of x * log2(e): one multiply-add and one special-function instruction each. The
// kernel would otherwise be bound by instructions, not by memory.
constexpr float kLog2E = 1.4426950408889634f;
constexpr float kLn2 = 0.6931471805599453f;

__device__ inline float power2(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// Running maximum and sum of exponentials relative to it; merging two such pairs is associative.
struct Partial {
    float maximum, sum;
};
__device__ inline Partial merge(Partial a, Partial b) {
    const float m = fmaxf(a.maximum, b.maximum);
    // Both may be "nothing yet" (-FLT_MAX, 0): the difference is then 0 and the sums are 0.
    return {m, a.sum * power2((a.maximum - m) * kLog2E) + b.sum * power2((b.maximum - m) * kLog2E)};
}

__device__ Partial warpMerge(Partial mine) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        const Partial other{__shfl_xor_sync(0xFFFFFFFFu, mine.maximum, offset),
                            __shfl_xor_sync(0xFFFFFFFFu, mine.sum, offset)};
        mine = merge(mine, other);
    }
    return mine;
}

// A cluster of blocks a row; each block keeps its part of the row in shared memory between reading and writing, so
// logits cross the memory bus once each way. A thread reads back only what it wrote, so no barrier stands between.
template <class T>
__global__ void __launch_bounds__(kThreads) crossEntropyKernel(MaskedCrossEntropyArgs a, int parts, int partColumns) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ Partial warpParts[kWarps];
    __shared__ Partial blockPart;
    auto* const held = reinterpret_cast<Raw<T>*>(memory);
    const int64_t row = blockIdx.x / parts;
    const int first = static_cast<int>(blockIdx.x % parts) * partColumns, last = min(first + partColumns, a.V);
    T* const logits = static_cast<T*>(a.logits) + row * a.V;
    const int64_t target = a.targets[row];
    const float targetLogit = target >= 0 ? toFloat(logits[target]) : 0.0f;
    // Only a handful of packs hold an excluded id; all others take the path without a comparison an element.
    const auto plain = [&](int column) {
        return column + kPack <= a.used && (a.maskId < column || a.maskId >= column + kPack);
    };
    const auto exclude = [&](float(&x)[kPack], int column) {
#pragma unroll
        for (int j = 0; j < kPack; ++j)
            if (column + j >= a.used || column + j == a.maskId)
                x[j] = -FLT_MAX;
    };

    Partial mine{-FLT_MAX, 0};
#pragma unroll 4
    for (int column = first + threadIdx.x * kPack; column < last; column += kThreads * kPack) {
        const Raw<T> raw = loadRaw(logits + column);
        held[(column - first) / kPack] = raw;
        float x[kPack];
        unpack(raw, x);
        if (!plain(column))
            exclude(x, column);
        float top = mine.maximum;
#pragma unroll
        for (int j = 0; j < kPack; ++j)
            top = fmaxf(top, x[j]);
        if (top == -FLT_MAX)
            continue;  // nothing but excluded ids so far
        const float shift = -top * kLog2E;
        float sum = mine.sum * power2(fmaf(mine.maximum, kLog2E, shift));
#pragma unroll
        for (int j = 0; j < kPack; ++j)
            sum += power2(fmaf(x[j], kLog2E, shift));
        mine = {top, sum};
    }
    mine = warpMerge(mine);
    if (threadIdx.x % 32 == 0)
        warpParts[threadIdx.x / 32] = mine;
    __syncthreads();
    const Partial block = warpMerge(threadIdx.x % 32 < kWarps ? warpParts[threadIdx.x % 32] : Partial{-FLT_MAX, 0});
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        blockPart = block;
    cluster.sync();  // also orders the target's logit, read above, before any write below
    Partial all{-FLT_MAX, 0};
    for (int part = 0; part < parts; ++part)
        all = merge(all, *cluster.map_shared_rank(&blockPart, static_cast<unsigned>(part)));
    cluster.sync();  // nobody leaves while others still read its shared memory

    const float logSum = all.maximum + kLn2 * log2f(all.sum);
    if (threadIdx.x == 0 && first == 0)
        a.losses[row] = target >= 0 ? static_cast<double>(logSum) - static_cast<double>(targetLogit) : 0.0;
    if (a.weights == nullptr)
        return;
    const float scale = a.gradientScale != nullptr ? *a.gradientScale : 1.0f;
    const float weight = target >= 0 ? static_cast<float>(a.weights[row]) * scale : 0.0f;
    const float spread = weight * (1.0f + 2.0f * a.zLoss * logSum);
    const float shift = -logSum * kLog2E;
    for (int column = first + threadIdx.x * kPack; column < last; column += kThreads * kPack) {
        float x[kPack];
        unpack(held[(column - first) / kPack], x);
        if (!plain(column))
            exclude(x, column);
#pragma unroll
        for (int j = 0; j < kPack; ++j)
            x[j] = spread * power2(fmaf(x[j], kLog2E, shift));
        if (target >= column && target < column + kPack) {
#pragma unroll
            for (int j = 0; j < kPack; ++j)
                if (column + j == target)
                    x[j] -= weight;
        }
        if (weight == 0.0f) {  // a padding row stays clean even where its logits are not finite
#pragma unroll
            for (int j = 0; j < kPack; ++j)
                x[j] = 0;
        }
        store(logits + column, x);
    }
}

template <class T>
Status launch(const MaskedCrossEntropyArgs& a, Stream stream) {
    int parts = 1;
    while (parts < kMostParts && a.V / parts * static_cast<int>(sizeof(T)) > kMostBytes)
        parts *= 2;
    const int partColumns = ((a.V + parts - 1) / parts + kPack - 1) / kPack * kPack;
    const size_t shared = static_cast<size_t>(partColumns) * sizeof(T);
    if (shared > 220 * 1024)
        return {"masked_cross_entropy: a row does not fit the shared memory of a cluster"};
    cudaFuncSetAttribute(crossEntropyKernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = static_cast<unsigned>(parts);
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(a.rows * parts));
    config.blockDim = dim3(kThreads);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, crossEntropyKernel<T>, a, parts, partColumns);
    return launched();
}

}  // namespace

Status maskedCrossEntropy(const MaskedCrossEntropyArgs& a, Stream stream) {
    if (a.rows < 0 || a.V <= 0 || a.V % kPack != 0 || a.used <= 0 || a.used > a.V)
        return {"masked_cross_entropy: V must be a positive multiple of 8 and hold the used ids"};
    if (a.rows == 0)
        return {};
    return withType(a.dtype, [&](auto* type) { return launch<std::remove_pointer_t<decltype(type)>>(a, stream); });
}

}  // namespace unmask::kernels
