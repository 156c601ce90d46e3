// SPDX-License-Identifier: Apache-2.0
#include "kernels/rows/rows.h"

#include <type_traits>

#include "kernels/common/device.cuh"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;

template <class T>
__global__ void gatherKernel(GatherArgs a) {
    const int packs = a.C / kPack;
    const int64_t item = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (item >= a.rows * packs)
        return;
    const int64_t row = item / packs;
    const int column = static_cast<int>(item % packs) * kPack;
    const int32_t from = a.index[row];
    float x[kPack] = {};
    if (from >= 0 && from < a.limit)
        load(static_cast<const T*>(a.table) + int64_t{from} * a.C + column, x);
    store(static_cast<T*>(a.out) + row * a.C + column, x);
}

template <class T>
__global__ void scatterKernel(ScatterArgs a) {
    const int packs = a.C / kPack;
    const int64_t item = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (item >= a.rows * packs)
        return;
    const int64_t row = item / packs;
    const int column = static_cast<int>(item % packs) * kPack;
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
unsigned blocksFor(const Args& a) {
    return static_cast<unsigned>((a.rows * (a.C / kPack) + kThreads - 1) / kThreads);
}

}  // namespace

Status gatherRows(const GatherArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (a.rows == 0)
        return {};
    return withType(a.dtype, [&](auto* type) {
        gatherKernel<std::remove_pointer_t<decltype(type)>><<<blocksFor(a), kThreads, 0, stream>>>(a);
        return launched();
    });
}

Status scatterRows(const ScatterArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (a.rows == 0)
        return {};
    return withType(a.dtype, [&](auto* type) {
        scatterKernel<std::remove_pointer_t<decltype(type)>><<<blocksFor(a), kThreads, 0, stream>>>(a);
        return launched();
    });
}

}  // namespace unmask::kernels
