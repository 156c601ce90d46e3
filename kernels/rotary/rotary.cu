// SPDX-License-Identifier: Apache-2.0
#include "kernels/rotary/rotary.h"

#include <algorithm>
#include <type_traits>

#include "kernels/common/device.cuh"
#include "kernels/common/parts.cuh"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kNormBlocksPerMultiprocessor = 4;

// A thread turns 8 pairs: columns c..c+7 of the first half of a head with those of the second half.
template <class T>
__global__ void rotaryKernel(RotaryArgs a) {
    const int half = a.D / 2, packs = half / kPack;
    const int64_t perRow = int64_t{a.heads} * packs;
    const int64_t index = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (index >= a.rows * perRow)
        return;
    const int64_t row = index / perRow;
    const int head = static_cast<int>(index % perRow) / packs, column = static_cast<int>(index % packs) * kPack;
    T* const x = static_cast<T*>(a.x) + row * a.stride + int64_t{head} * a.D + column;
    const float* const angles = a.table + int64_t{a.positions[row]} * a.D + column;
    float first[kPack], second[kPack], c[kPack], s[kPack];
    load(x, first);
    load(x + half, second);
    load(angles, c);
    load(angles + half, s);
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        const float sine = a.inverse ? -s[j] : s[j];
        const float turned = first[j] * c[j] - second[j] * sine;
        second[j] = second[j] * c[j] + first[j] * sine;
        first[j] = turned;
    }
    store(x, first);
    store(x + half, second);
}

// One warp a head; a lane holds columns lane, lane + 32, … (D at most 256).
template <class T>
__global__ void headNormKernel(HeadNormArgs a) {
    const int lane = threadIdx.x % 32;
    const int64_t item = int64_t{blockIdx.x} * (kThreads / 32) + threadIdx.x / 32;
    if (item >= a.rows * a.heads)
        return;
    const int64_t row = item / a.heads, head = item % a.heads;
    T* const x = static_cast<T*>(a.x) + row * a.stride + head * a.D;
    T* const raw = static_cast<T*>(a.raw) + item * a.D;
    float v[8], total = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int column = lane + 32 * i;
        if (column >= a.D)
            continue;
        raw[column] = x[column];
        v[i] = toFloat(x[column]);
        total += v[i] * v[i];
    }
    const float rstd = rsqrtf(warpSum(total) / a.D + a.epsilon);
    if (lane == 0)
        a.rstd[item] = rstd;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int column = lane + 32 * i;
        if (column < a.D)
            assign(x[column], v[i] * rstd * toFloat(static_cast<const T*>(a.weight)[column]));
    }
}

template <class T>
__global__ void headNormBackwardKernel(HeadNormBackwardArgs a) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    constexpr int kWarps = kThreads / 32;
    float dw[8] = {};
    const int64_t items = a.rows * a.heads;
    for (int64_t item = int64_t{blockIdx.x} * kWarps + warp; item < items; item += int64_t{gridDim.x} * kWarps) {
        const int64_t row = item / a.heads, head = item % a.heads;
        T* const gradient = static_cast<T*>(a.gradient) + row * a.stride + head * a.D;
        const T* const raw = static_cast<const T*>(a.raw) + item * a.D;
        const float rstd = a.rstd[item];
        float g[8], hat[8], dot = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const int column = lane + 32 * i;
            if (column >= a.D)
                continue;
            hat[i] = toFloat(raw[column]) * rstd;
            g[i] = toFloat(gradient[column]);
            dw[i] += g[i] * hat[i];
            g[i] *= toFloat(static_cast<const T*>(a.weight)[column]);
            dot += g[i] * hat[i];
        }
        dot = warpSum(dot) / a.D;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const int column = lane + 32 * i;
            if (column < a.D)
                assign(gradient[column], rstd * (g[i] - hat[i] * dot));
        }
    }
    __shared__ float parts[kWarps][256];
#pragma unroll
    for (int i = 0; i < 8; ++i)
        parts[warp][lane + 32 * i] = dw[i];
    __syncthreads();
    for (int column = threadIdx.x; column < a.D; column += kThreads) {
        float total = 0;
        for (int w = 0; w < kWarps; ++w)
            total += parts[w][column];
        a.scratch[int64_t{blockIdx.x} * a.D + column] = total;
    }
}

const char* refuseHead(int64_t rows, int64_t stride, int heads, int D) {
    if (rows < 0 || heads <= 0 || D <= 0 || D % 16 != 0 || D > 256 || stride % kPack != 0)
        return "rotary: a head must have a multiple of 16 dimensions, at most 256, and rows a stride of 8";
    return nullptr;
}

}  // namespace

Status rotary(const RotaryArgs& a, Stream stream) {
    if (const char* reason = refuseHead(a.rows, a.stride, a.heads, a.D))
        return {reason};
    if (a.rows == 0)
        return {};
    const int64_t threads = a.rows * a.heads * (a.D / 2 / kPack);
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        rotaryKernel<T><<<static_cast<unsigned>((threads + kThreads - 1) / kThreads), kThreads, 0, stream>>>(a);
        return launched();
    });
}

Status headNormForward(const HeadNormArgs& a, Stream stream) {
    if (const char* reason = refuseHead(a.rows, a.stride, a.heads, a.D))
        return {reason};
    if (a.rows == 0)
        return {};
    const int64_t warps = a.rows * a.heads, blocks = (warps + kThreads / 32 - 1) / (kThreads / 32);
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        headNormKernel<T><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a);
        return launched();
    });
}

int64_t headNormScratch(int D) {
    return int64_t{multiprocessors()} * kNormBlocksPerMultiprocessor * D;
}

Status headNormBackward(const HeadNormBackwardArgs& a, Stream stream) {
    if (const char* reason = refuseHead(a.rows, a.stride, a.heads, a.D))
        return {reason};
    if (a.rows == 0)
        return {};
    const int64_t most = int64_t{multiprocessors()} * kNormBlocksPerMultiprocessor;
    const int blocks = static_cast<int>(std::min<int64_t>(most, (a.rows * a.heads + 7) / 8));
    const Status status = withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        headNormBackwardKernel<T><<<blocks, kThreads, 0, stream>>>(a);
        return launched();
    });
    if (!status.ok())
        return status;
    return addParts({a.scratch, blocks, a.D, a.D, a.weightGradient, nullptr}, a.gradientDtype, stream);
}

}  // namespace unmask::kernels
