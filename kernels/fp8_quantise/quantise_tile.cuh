// SPDX-License-Identifier: Apache-2.0
// The pass that makes 8-bit codes, as they lie and transposed, of whatever values a source gives: a matrix in memory,
// or what an op computes on the way, which then is never written.
#pragma once

#include <cuda_fp8.h>

#include <cfloat>

#include "kernels/common/device.cuh"
#include "kernels/fp8_quantise/fp8_quantise.h"

namespace unmask::kernels {

namespace fp8 {

// A block turns a tile: each thread holds 4 rows of 8 columns, so that a word of the transposed tile is its own.
constexpr int kTileRows = 128;
constexpr int kTileColumns = 64;
constexpr int kThreadRows = 4;
constexpr int kAcross = kTileColumns / kPack;
constexpr int kWords = kTileRows / kThreadRows;  // of a column of the transposed tile
constexpr int kThreads = kAcross * kWords;
constexpr int kWarps = kThreads / 32;

template <Fp8Format F>
constexpr float kLargest = F == Fp8Format::e4m3 ? 448.0f : 57344.0f;
template <Fp8Format F>
constexpr __nv_fp8_interpretation_t kForm = F == Fp8Format::e4m3 ? __NV_E4M3 : __NV_E5M2;

__device__ inline bool finite(float x) {
    return fabsf(x) <= FLT_MAX;
}

__device__ inline float largestOf(const float (&x)[kPack], float largest) {
#pragma unroll
    for (int i = 0; i < kPack; ++i)
        largest = fmaxf(largest, finite(x[i]) ? fabsf(x[i]) : 0.0f);
    return largest;
}

__device__ inline void keepLargest(float* largest, float x) {  // both are 0 or more, so their bits are in order
    atomicMax(reinterpret_cast<int*>(largest), __float_as_int(x));
}

// Of a block of kThreads threads; the result is thread 0's.
__device__ inline float blockLargest(float largest) {
    __shared__ float warpLargest[kWarps];
    largest = warpMax(largest);
    if (threadIdx.x % 32 == 0)
        warpLargest[threadIdx.x / 32] = largest;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int warp = 1; warp < kWarps; ++warp)
            largest = fmaxf(largest, warpLargest[warp]);
    return largest;
}

template <Fp8Format F>
__device__ inline uint32_t twoCodes(float first, float second, float factor) {
    const float2 scaled{finite(first) ? first * factor : nanf(""), finite(second) ? second * factor : nanf("")};
    return __nv_cvt_float2_to_fp8x2(scaled, __NV_SATFINITE, kForm<F>);
}

template <Fp8Format F>
__device__ inline uint2 eightCodes(const float (&x)[kPack], float factor) {
    return {twoCodes<F>(x[0], x[1], factor) | twoCodes<F>(x[2], x[3], factor) << 16,
            twoCodes<F>(x[4], x[5], factor) | twoCodes<F>(x[6], x[7], factor) << 16};
}

// codes[r]: row r, eight columns.
__device__ inline void storeTransposed(const uint2 (&codes)[kThreadRows], uint32_t (*tile)[kWords + 1], int across,
                                       int down) {
#pragma unroll
    for (int column = 0; column < kPack; ++column) {
        const int byte = column % 4;
        uint32_t word[kThreadRows];
#pragma unroll
        for (int r = 0; r < kThreadRows; ++r)
            word[r] = column < 4 ? codes[r].x : codes[r].y;
        const uint32_t low = __byte_perm(word[0], word[1], byte | (byte + 4) << 4);
        const uint32_t high = __byte_perm(word[2], word[3], byte | (byte + 4) << 4);
        tile[across * kPack + column][down] = (low & 0xFFFFu) | high << 16;
    }
}

// Where codes go; the matrix is Source::kParts parts of `width` columns side by side.
struct Target {
    uint8_t* row;         // (rows, kParts · width), or null
    uint8_t* transposed;  // (kParts · width, rows), or null
    Fp8Scale* scale;
    int64_t rows;
    int width;
};

// source.read(row, column, x): x[p] are the values at columns `column` to `column` + 7 of part p.
template <Fp8Format F, class Source>
__global__ void __launch_bounds__(kThreads) quantiseKernel(Target a, Source source) {
    constexpr int kParts = Source::kParts;
    __shared__ uint32_t tile[kParts][kTileColumns][kWords + 1];
    const int across = threadIdx.x % kAcross, down = threadIdx.x / kAcross;
    const int64_t firstRow = int64_t{blockIdx.x} * kTileRows;
    const int firstColumn = blockIdx.y * kTileColumns;
    const int column = firstColumn + across * kPack;
    const int64_t row = firstRow + down * kThreadRows;
    const float amax = a.scale->amax;
    const float range = amax > 0 ? kFp8Margin * amax : 1.0f;
    const float factor = kLargest<F> / range;
    uint2 codes[kParts][kThreadRows] = {};
    float largest = 0;
    if (column < a.width && row < a.rows) {  // rows and columns come in whole fours and eights
#pragma unroll
        for (int r = 0; r < kThreadRows; ++r) {
            float x[kParts][kPack];
            source.read(row + r, column, x);
#pragma unroll
            for (int p = 0; p < kParts; ++p) {
                largest = largestOf(x[p], largest);
                codes[p][r] = eightCodes<F>(x[p], factor);
                if (a.row != nullptr)
                    *reinterpret_cast<uint2*>(a.row + (row + r) * kParts * a.width + p * a.width + column) =
                        codes[p][r];
            }
        }
    }
#pragma unroll
    for (int p = 0; p < kParts; ++p)
        storeTransposed(codes[p], tile[p], across, down);
    largest = blockLargest(largest);
    if (threadIdx.x == 0) {
        keepLargest(&a.scale->seen, largest);
        if (blockIdx.x == 0 && blockIdx.y == 0)
            a.scale->dequantise = range / kLargest<F>;
    }
    if (a.transposed == nullptr)
        return;
    const int lane = threadIdx.x % 32;
    const int64_t ownRow = firstRow + lane * kThreadRows;
#pragma unroll
    for (int p = 0; p < kParts; ++p)
        for (int c = threadIdx.x / 32; c < kTileColumns; c += kWarps)
            if (firstColumn + c < a.width && ownRow < a.rows)
                *reinterpret_cast<uint32_t*>(a.transposed + (int64_t{p} * a.width + firstColumn + c) * a.rows +
                                             ownRow) = tile[p][c][lane];
}
static_assert(kWords == 32, "a warp writes a column of the tile");

template <Fp8Format F, class Source>
Status quantise(const Target& a, const Source& source, Stream stream) {
    const dim3 grid(static_cast<unsigned>((a.rows + kTileRows - 1) / kTileRows),
                    static_cast<unsigned>((a.width + kTileColumns - 1) / kTileColumns));
    quantiseKernel<F><<<grid, kThreads, 0, stream>>>(a, source);
    return launched();
}

inline const char* refuse(const Target& a) {
    if (a.rows <= 0 || a.rows % 16 != 0 || a.width <= 0 || a.width % 16 != 0)
        return "fp8: rows and columns must be positive multiples of 16";
    if (!aligned16(a.row) || !aligned16(a.transposed))
        return "fp8: rows must be aligned to 16 bytes";
    return a.scale == nullptr ? "fp8: a scale is needed" : nullptr;
}

}  // namespace fp8

}  // namespace unmask::kernels
