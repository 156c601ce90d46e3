// SPDX-License-Identifier: Apache-2.0
#include "kernels/column_sums/column_sums.h"

#include "kernels/common/device.cuh"

namespace unmask::kernels {

namespace {

constexpr int kPacksAcross = 8;  // threads of a block along the columns
constexpr int kRowsDown = 32;    // and along the rows
constexpr int kParts = 64;       // blocks that share the rows

template <class T>
__global__ void partialSums(ColumnSumsArgs a) {
    __shared__ float partial[kRowsDown][kPacksAcross * kPack];
    const int column = (blockIdx.x * kPacksAcross + threadIdx.x) * kPack;
    float sums[kPack] = {};
    if (column < a.C)
        for (int64_t row = int64_t{blockIdx.y} * kRowsDown + threadIdx.y; row < a.rows;
             row += int64_t{kParts} * kRowsDown) {
            float values[kPack];
            load(static_cast<const T*>(a.x) + row * a.stride + column, values);
#pragma unroll
            for (int i = 0; i < kPack; ++i)
                sums[i] += values[i];
        }
#pragma unroll
    for (int i = 0; i < kPack; ++i)
        partial[threadIdx.y][threadIdx.x * kPack + i] = sums[i];
    __syncthreads();
    const int thread = threadIdx.y * kPacksAcross + threadIdx.x;
    const int own = blockIdx.x * kPacksAcross * kPack + thread;
    if (thread >= kPacksAcross * kPack || own >= a.C)
        return;
    float sum = 0;
    for (int row = 0; row < kRowsDown; ++row)
        sum += partial[row][thread];
    a.scratch[int64_t{blockIdx.y} * a.C + own] = sum;
}

template <class T>
__global__ void addParts(ColumnSumsArgs a) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= a.C)
        return;
    float sum = 0;
    for (int part = 0; part < kParts; ++part)
        sum += a.scratch[int64_t{part} * a.C + column];
    T* to = static_cast<T*>(a.sums) + column;
    assign(*to, toFloat(*to) + sum);
}

}  // namespace

int64_t columnSumsScratch(int C) {
    return int64_t{kParts} * C;
}

Status columnSums(const ColumnSumsArgs& a, Stream stream) {
    if (a.C <= 0 || a.C % kPack != 0 || a.stride % kPack != 0 || !aligned16(a.x))
        return {"column sums: C and stride must be multiples of 8 and rows aligned"};
    const Status partial = withType(a.dtype, [&]<class T>(T*) {
        const dim3 grid(static_cast<unsigned>((a.C / kPack + kPacksAcross - 1) / kPacksAcross), kParts);
        partialSums<T><<<grid, dim3(kPacksAcross, kRowsDown), 0, stream>>>(a);
        return launched();
    });
    if (!partial.ok())
        return partial;
    return withType(a.sumsDtype, [&]<class T>(T*) {
        addParts<T><<<(a.C + 127) / 128, 128, 0, stream>>>(a);
        return launched();
    });
}

}  // namespace unmask::kernels
