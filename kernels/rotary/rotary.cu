// SPDX-License-Identifier: Apache-2.0
#include "kernels/rotary/rotary.h"

#include <algorithm>
#include <type_traits>

#include "kernels/common/device.cuh"
#include "kernels/common/parts.cuh"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kNormBlocksPerMultiprocessor = 3;

// Eight pairs of a head: columns c … c + 7 of its first half with those of its second half.
struct Pairs {
    float first[kPack], second[kPack];
};

template <class T>
__device__ Pairs loadPairs(const T* x, int half) {
    Pairs pairs;
    load(x, pairs.first);
    load(x + half, pairs.second);
    return pairs;
}

template <class T>
__device__ void storePairs(T* x, int half, const Pairs& pairs) {
    store(x, pairs.first);
    store(x + half, pairs.second);
}

// By the angles of a row of the table, or back.
__device__ void turn(Pairs& x, const float* angles, int half, bool inverse) {
    const Pairs angle = loadPairs(angles, half);
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        const float cosine = angle.first[j], sine = inverse ? -angle.second[j] : angle.second[j];
        const float turned = x.first[j] * cosine - x.second[j] * sine;
        x.second[j] = x.second[j] * cosine + x.first[j] * sine;
        x.first[j] = turned;
    }
}

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
    Pairs pairs = loadPairs(x, half);
    turn(pairs, a.table + int64_t{a.positions[row]} * a.D + column, half, a.inverse);
    storePairs(x, half, pairs);
}

// Lanes that share a head, a power of two: each has eight pairs, the last of them perhaps none.
int groupOf(int D) {
    int group = 1;
    while (group * 2 * kPack < D)
        group *= 2;
    return group;
}

__device__ float groupSum(float x, int group) {
    for (int offset = group / 2; offset > 0; offset /= 2)
        x += __shfl_xor_sync(0xFFFFFFFFu, x, offset);
    return x;
}

// Where a lane works: its head among all, and its columns.
struct Place {
    int64_t item, row, at;  // at: of the first column, in rows of `stride`
    int column;
    bool active;
    template <class Args>
    __device__ Place(const Args& a, int64_t number, int group)
        : item(number), row(number / a.heads), column(static_cast<int>(threadIdx.x) % group * kPack) {
        at = row * a.stride + (number - row * a.heads) * a.D + column;
        active = number < a.rows * a.heads && column < a.D / 2;
    }
};

template <class T>
__global__ void headNormKernel(HeadNormArgs a, int group) {
    const Place place(a, (int64_t{blockIdx.x} * kThreads + threadIdx.x) / group, group);
    const int half = a.D / 2;
    T* const x = static_cast<T*>(a.x) + place.at;
    Pairs pairs{};
    float total = 0;
    if (place.active) {
        pairs = loadPairs(x, half);
        storePairs(static_cast<T*>(a.raw) + place.item * a.D + place.column, half, pairs);
#pragma unroll
        for (int j = 0; j < kPack; ++j)
            total += pairs.first[j] * pairs.first[j] + pairs.second[j] * pairs.second[j];
    }
    const float rstd = rsqrtf(groupSum(total, group) / a.D + a.epsilon);
    if (!place.active)
        return;
    if (place.column == 0)
        a.rstd[place.item] = rstd;
    const Pairs weight = loadPairs(static_cast<const T*>(a.weight) + place.column, half);
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        pairs.first[j] *= rstd * weight.first[j];
        pairs.second[j] *= rstd * weight.second[j];
    }
    if (a.table != nullptr)
        turn(pairs, a.table + int64_t{a.positions[place.row]} * a.D + place.column, half, false);
    storePairs(x, half, pairs);
}

template <class T>
__global__ void __launch_bounds__(kThreads, kNormBlocksPerMultiprocessor)
    headNormBackwardKernel(HeadNormBackwardArgs a, int group) {
    const int half = a.D / 2, groups = kThreads / group, own = static_cast<int>(threadIdx.x) / group;
    const int64_t items = a.rows * a.heads;
    Pairs dw{};
    const int ownColumn = static_cast<int>(threadIdx.x) % group * kPack;
    Pairs weight{};
    if (ownColumn < half)
        weight = loadPairs(static_cast<const T*>(a.weight) + ownColumn, half);
    // All lanes of a warp go round equally often, since they add up together.
    for (int64_t start = int64_t{blockIdx.x} * groups; start < items; start += int64_t{gridDim.x} * groups) {
        const Place place(a, start + own, group);
        Pairs g{}, hat{};
        float dot = 0, rstd = 0;
        T* const gradient = static_cast<T*>(a.gradient) + place.at;
        if (place.active) {
            g = loadPairs(gradient, half);
            hat = loadPairs(static_cast<const T*>(a.raw) + place.item * a.D + place.column, half);
            rstd = a.rstd[place.item];
            if (a.table != nullptr)
                turn(g, a.table + int64_t{a.positions[place.row]} * a.D + place.column, half, true);
        }
#pragma unroll
        for (int j = 0; j < kPack; ++j) {
            hat.first[j] *= rstd, hat.second[j] *= rstd;
            dw.first[j] += g.first[j] * hat.first[j], dw.second[j] += g.second[j] * hat.second[j];
            g.first[j] *= weight.first[j], g.second[j] *= weight.second[j];
            dot += g.first[j] * hat.first[j] + g.second[j] * hat.second[j];
        }
        dot = groupSum(dot, group) / a.D;
        if (!place.active)
            continue;
#pragma unroll
        for (int j = 0; j < kPack; ++j) {
            g.first[j] = rstd * (g.first[j] - hat.first[j] * dot);
            g.second[j] = rstd * (g.second[j] - hat.second[j] * dot);
        }
        storePairs(gradient, half, g);
    }
    __shared__ __align__(16) float parts[kThreads * 2 * kPack];  // (groups, D)
    if (ownColumn < half)
        storePairs(parts + own * a.D + ownColumn, half, dw);
    __syncthreads();
    for (int column = threadIdx.x; column < a.D; column += kThreads) {
        float total = 0;
        for (int i = 0; i < groups; ++i)
            total += parts[i * a.D + column];
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
    const int group = groupOf(a.D);
    const int64_t blocks = (a.rows * a.heads * group + kThreads - 1) / kThreads;
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        headNormKernel<T><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a, group);
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
    const int group = groupOf(a.D), groups = kThreads / group;
    const int blocks = static_cast<int>(std::min<int64_t>(most, (a.rows * a.heads + groups - 1) / groups));
    const Status status = withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        headNormBackwardKernel<T><<<blocks, kThreads, 0, stream>>>(a, group);
        return launched();
    });
    if (!status.ok())
        return status;
    return addParts({a.scratch, blocks, a.D, a.D, a.weightGradient, nullptr}, a.gradientDtype, stream);
}

}  // namespace unmask::kernels
