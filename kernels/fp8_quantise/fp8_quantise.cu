// SPDX-License-Identifier: Apache-2.0
#include "kernels/fp8_quantise/fp8_quantise.h"

#include <algorithm>

#include "kernels/fp8_quantise/quantise_tile.cuh"

namespace unmask::kernels {

namespace {

constexpr int kMeasureBlocks = 512;

template <class T>
struct Matrix {
    static constexpr int kParts = 1;
    const T* x;
    int64_t stride;

    __device__ void read(int64_t row, int column, float (&values)[kParts][kPack]) const {
        load(x + row * stride + column, values[0]);
    }
};

template <class T>
__global__ void measureKernel(Fp8QuantiseArgs a) {
    const int64_t packs = a.columns / kPack;
    float largest = 0;
    for (int64_t index = int64_t{blockIdx.x} * fp8::kThreads + threadIdx.x; index < a.rows * packs;
         index += int64_t{gridDim.x} * fp8::kThreads) {
        float x[kPack];
        load(static_cast<const T*>(a.x) + index / packs * a.stride + index % packs * kPack, x);
        largest = fp8::largestOf(x, largest);
    }
    largest = fp8::blockLargest(largest);
    if (threadIdx.x == 0)
        fp8::keepLargest(&a.scale->amax, largest);
}

__global__ void rollKernel(Fp8Scale* scales, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    if (scales[i].seen > 0)
        scales[i].amax = fmaxf(scales[i].seen, kFp8Memory * scales[i].amax);
    scales[i].seen = 0;
}

fp8::Target targetOf(const Fp8QuantiseArgs& a) {
    return {.row = a.row, .transposed = a.transposed, .scale = a.scale, .rows = a.rows, .width = a.columns};
}

const char* refuse(const Fp8QuantiseArgs& a) {
    if (a.stride % kPack != 0 || !aligned16(a.x))
        return "fp8: rows must be aligned to 16 bytes";
    return fp8::refuse(targetOf(a));
}

}  // namespace

Status fp8Quantise(const Fp8QuantiseArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    return withType(a.dtype, [&]<class T>(T*) {
        const Matrix<T> matrix{static_cast<const T*>(a.x), a.stride};
        return a.format == Fp8Format::e4m3 ? fp8::quantise<Fp8Format::e4m3>(targetOf(a), matrix, stream)
                                           : fp8::quantise<Fp8Format::e5m2>(targetOf(a), matrix, stream);
    });
}

Status fp8Measure(const Fp8QuantiseArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (cudaMemsetAsync(&a.scale->amax, 0, sizeof(float), stream) != cudaSuccess)
        return launched();
    const int64_t packs = a.rows * (a.columns / kPack);
    const auto blocks =
        static_cast<unsigned>(std::min<int64_t>((packs + fp8::kThreads - 1) / fp8::kThreads, kMeasureBlocks));
    return withType(a.dtype, [&]<class T>(T*) {
        measureKernel<T><<<blocks, fp8::kThreads, 0, stream>>>(a);
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
