// SPDX-License-Identifier: Apache-2.0
#include "kernels/fp8_quantise/fp8_quantise.h"

#include <cuda_fp8.h>

#include <algorithm>
#include <cfloat>

#include "kernels/common/device.cuh"

namespace unmask::kernels {

namespace {

// A block turns a tile: each thread holds 4 rows of 8 columns, so that a word of the transposed tile is its own.
constexpr int kTileRows = 128;
constexpr int kTileColumns = 64;
constexpr int kThreadRows = 4;
constexpr int kAcross = kTileColumns / kPack;
constexpr int kWords = kTileRows / kThreadRows;  // of a column of the transposed tile
constexpr int kThreads = kAcross * kWords;
constexpr int kWarps = kThreads / 32;
constexpr int kMeasureBlocks = 512;

template <Fp8Format F>
constexpr float kLargest = F == Fp8Format::e4m3 ? 448.0f : 57344.0f;
template <Fp8Format F>
constexpr __nv_fp8_interpretation_t kForm = F == Fp8Format::e4m3 ? __NV_E4M3 : __NV_E5M2;

__device__ inline bool finite(float x) {
    return fabsf(x) <= FLT_MAX;
}

__device__ inline void keepLargest(float* largest, float x) {  // both are 0 or more, so their bits are in order
    atomicMax(reinterpret_cast<int*>(largest), __float_as_int(x));
}

template <Fp8Format F>
__device__ inline uint32_t twoCodes(float first, float second, float factor) {
    const float2 scaled{finite(first) ? first * factor : nanf(""), finite(second) ? second * factor : nanf("")};
    return __nv_cvt_float2_to_fp8x2(scaled, __NV_SATFINITE, kForm<F>);
}

// codes[r][w]: row r, columns 4w to 4w + 3.
__device__ inline void storeTransposed(const uint32_t (&codes)[kThreadRows][2], uint32_t (*tile)[kWords + 1],
                                       int across, int down) {
#pragma unroll
    for (int column = 0; column < kPack; ++column) {
        const int word = column / 4, byte = column % 4;
        const uint32_t low = __byte_perm(codes[0][word], codes[1][word], byte | (byte + 4) << 4);
        const uint32_t high = __byte_perm(codes[2][word], codes[3][word], byte | (byte + 4) << 4);
        tile[across * kPack + column][down] = (low & 0xFFFFu) | high << 16;
    }
}

template <class T, Fp8Format F>
__global__ void __launch_bounds__(kThreads) quantiseKernel(Fp8QuantiseArgs a) {
    __shared__ uint32_t tile[kTileColumns][kWords + 1];
    __shared__ float warpLargest[kWarps];
    const int across = threadIdx.x % kAcross, down = threadIdx.x / kAcross;
    const int64_t firstRow = int64_t{blockIdx.x} * kTileRows;
    const int firstColumn = blockIdx.y * kTileColumns;
    const int column = firstColumn + across * kPack;
    const int64_t row = firstRow + down * kThreadRows;
    const float amax = a.scale->amax;
    const float range = amax > 0 ? kFp8Margin * amax : 1.0f;
    const float factor = kLargest<F> / range;
    uint32_t codes[kThreadRows][2] = {};
    float largest = 0;
    if (column < a.columns && row < a.rows) {  // rows and columns come in whole fours and eights
#pragma unroll
        for (int r = 0; r < kThreadRows; ++r) {
            float x[kPack];
            load(static_cast<const T*>(a.x) + (row + r) * a.stride + column, x);
#pragma unroll
            for (int i = 0; i < kPack; ++i)
                largest = fmaxf(largest, finite(x[i]) ? fabsf(x[i]) : 0.0f);
#pragma unroll
            for (int w = 0; w < 2; ++w)
                codes[r][w] =
                    twoCodes<F>(x[4 * w], x[4 * w + 1], factor) | twoCodes<F>(x[4 * w + 2], x[4 * w + 3], factor) << 16;
            if (a.row != nullptr)
                *reinterpret_cast<uint2*>(a.row + (row + r) * a.columns + column) = {codes[r][0], codes[r][1]};
        }
    }
    storeTransposed(codes, tile, across, down);
    largest = warpMax(largest);
    if (threadIdx.x % 32 == 0)
        warpLargest[threadIdx.x / 32] = largest;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < kWarps; ++warp)
            largest = fmaxf(largest, warpLargest[warp]);
        keepLargest(&a.scale->seen, largest);
        if (blockIdx.x == 0 && blockIdx.y == 0)
            a.scale->dequantise = range / kLargest<F>;
    }
    if (a.transposed == nullptr)
        return;
    const int lane = threadIdx.x % 32;
    const int64_t ownRow = firstRow + lane * kThreadRows;
    for (int c = threadIdx.x / 32; c < kTileColumns; c += kWarps)
        if (firstColumn + c < a.columns && ownRow < a.rows)
            *reinterpret_cast<uint32_t*>(a.transposed + (firstColumn + c) * a.rows + ownRow) = tile[c][lane];
}
static_assert(kWords == 32, "a warp writes a column of the tile");

template <class T>
__global__ void measureKernel(Fp8QuantiseArgs a) {
    __shared__ float warpLargest[kWarps];
    const int64_t packs = a.columns / kPack;
    float largest = 0;
    for (int64_t index = int64_t{blockIdx.x} * kThreads + threadIdx.x; index < a.rows * packs;
         index += int64_t{gridDim.x} * kThreads) {
        float x[kPack];
        load(static_cast<const T*>(a.x) + index / packs * a.stride + index % packs * kPack, x);
#pragma unroll
        for (int i = 0; i < kPack; ++i)
            largest = fmaxf(largest, finite(x[i]) ? fabsf(x[i]) : 0.0f);
    }
    largest = warpMax(largest);
    if (threadIdx.x % 32 == 0)
        warpLargest[threadIdx.x / 32] = largest;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int warp = 1; warp < kWarps; ++warp)
        largest = fmaxf(largest, warpLargest[warp]);
    keepLargest(&a.scale->amax, largest);
}

__global__ void rollKernel(Fp8Scale* scales, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    if (scales[i].seen > 0)
        scales[i].amax = fmaxf(scales[i].seen, kFp8Memory * scales[i].amax);
    scales[i].seen = 0;
}

const char* refuse(const Fp8QuantiseArgs& a) {
    if (a.rows <= 0 || a.rows % 16 != 0 || a.columns <= 0 || a.columns % 16 != 0)
        return "fp8: rows and columns must be positive multiples of 16";
    if (a.stride % kPack != 0 || !aligned16(a.x) || !aligned16(a.row) || !aligned16(a.transposed))
        return "fp8: rows must be aligned to 16 bytes";
    return a.scale == nullptr ? "fp8: a scale is needed" : nullptr;
}

template <Fp8Format F>
Status launch(const Fp8QuantiseArgs& a, Stream stream) {
    const dim3 grid(static_cast<unsigned>((a.rows + kTileRows - 1) / kTileRows),
                    static_cast<unsigned>((a.columns + kTileColumns - 1) / kTileColumns));
    return withType(a.dtype, [&]<class T>(T*) {
        quantiseKernel<T, F><<<grid, kThreads, 0, stream>>>(a);
        return launched();
    });
}

}  // namespace

Status fp8Quantise(const Fp8QuantiseArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    return a.format == Fp8Format::e4m3 ? launch<Fp8Format::e4m3>(a, stream) : launch<Fp8Format::e5m2>(a, stream);
}

Status fp8Measure(const Fp8QuantiseArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (cudaMemsetAsync(&a.scale->amax, 0, sizeof(float), stream) != cudaSuccess)
        return launched();
    const int64_t packs = a.rows * (a.columns / kPack);
    const auto blocks = static_cast<unsigned>(std::min<int64_t>((packs + kThreads - 1) / kThreads, kMeasureBlocks));
    return withType(a.dtype, [&]<class T>(T*) {
        measureKernel<T><<<blocks, kThreads, 0, stream>>>(a);
        return launched();
    });
}

Status fp8Roll(Fp8Scale* scales, int count, Stream stream) {
    if (count <= 0)
        return {};
    constexpr int kRollThreads = 128;
    rollKernel<<<static_cast<unsigned>((count + kRollThreads - 1) / kRollThreads), kRollThreads, 0, stream>>>(scales,
                                                                                                              count);
    return launched();
}

}  // namespace unmask::kernels
