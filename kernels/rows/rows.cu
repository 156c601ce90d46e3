// SPDX-License-Identifier: Apache-2.0
#include "kernels/rows/rows.h"

#include <type_traits>

#include "kernels/common/device.cuh"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kItems = 4;  // packs that a thread of a gather has on their way at once

// 64-bit division is slow, and seldom needed.
__device__ inline int64_t divide(int64_t a, int64_t b) {
    return a <= UINT32_MAX ? static_cast<uint32_t>(a) / static_cast<uint32_t>(b) : a / b;
}

template <class T>
__global__ void gatherKernel(GatherArgs a) {
    const int64_t packs = a.C / kPack, items = a.rows * packs;
    const int64_t first = int64_t{blockIdx.x} * kThreads * kItems + threadIdx.x;
    Raw<T> raw[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
        raw[i] = {};
        const int64_t item = first + i * kThreads;
        if (item >= items)
            continue;
        const int64_t row = divide(item, packs);
        const int32_t from = a.index[row];
        if (from >= 0 && from < a.limit)
            raw[i] = loadRaw(static_cast<const T*>(a.table) + int64_t{from} * a.C + (item - row * packs) * kPack);
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i)
        if (first + i * kThreads < items)
            storeRaw(static_cast<T*>(a.out) + (first + i * kThreads) * kPack, raw[i]);
}

template <class T>
__global__ void scatterKernel(ScatterArgs a) {
    const int64_t packs = a.C / kPack;
    const int64_t item = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (item >= a.rows * packs)
        return;
    const int64_t row = divide(item, packs), column = (item - row * packs) * kPack;
    const int32_t to = a.index[row];
    if (to < 0)
        return;
    float x[kPack];
    load(static_cast<const T*>(a.x) + row * a.C + column, x);
    T* const out = static_cast<T*>(a.out) + int64_t{to} * a.C + column;
    if (a.add) {
        float old[kPack];
        load(out, old);
#pragma unroll
        for (int j = 0; j < kPack; ++j)
            x[j] += old[j];
    }
    store(out, x);
}

template <class Args>
const char* refuse(const Args& a) {
    return a.rows < 0 || a.C <= 0 || a.C % kPack != 0 ? "rows: C must be a positive multiple of 8" : nullptr;
}

template <class Args>
unsigned blocksFor(const Args& a, int itemsOfThread) {
    const int64_t itemsOfBlock = int64_t{kThreads} * itemsOfThread;
    return static_cast<unsigned>((a.rows * (a.C / kPack) + itemsOfBlock - 1) / itemsOfBlock);
}

}  // namespace

Status gatherRows(const GatherArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (a.rows == 0)
        return {};
    return withType(a.dtype, [&](auto* type) {
        gatherKernel<std::remove_pointer_t<decltype(type)>><<<blocksFor(a, kItems), kThreads, 0, stream>>>(a);
        return launched();
    });
}

Status scatterRows(const ScatterArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (a.rows == 0)
        return {};
    return withType(a.dtype, [&](auto* type) {
        scatterKernel<std::remove_pointer_t<decltype(type)>><<<blocksFor(a, 1), kThreads, 0, stream>>>(a);
        return launched();
    });
}

}  // namespace unmask::kernels
