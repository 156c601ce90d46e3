// SPDX-License-Identifier: Apache-2.0
#include "kernels/adamw/adamw.h"

#include <type_traits>

#include "kernels/common/device.cuh"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kNormBlocks = 512;  // fixed, so that the order of the sum does not depend on the device

template <class T, class G>
__global__ void adamwKernel(AdamWArgs a) {
    const int64_t at = (int64_t{blockIdx.x} * kThreads + threadIdx.x) * kPack;
    if (at >= a.count)
        return;
    const UpdateScalars scalars = *a.scalars;
    if (!scalars.finite)
        return;
    float w[kPack], g[kPack], m[kPack], v[kPack];
    if (a.master != nullptr)
        load(a.master + at, w);
    else
        load(static_cast<const T*>(a.weights) + at, w);
    load(static_cast<const G*>(a.gradients) + at, g);
    load(a.m + at, m);
    load(a.v + at, v);
    const float step = scalars.learningRate / scalars.biasCorrection1;
    const float root = rsqrtf(scalars.biasCorrection2);
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        const float gradient = g[j] * scalars.clipFactor;
        m[j] = a.beta1 * m[j] + (1.0f - a.beta1) * gradient;
        v[j] = a.beta2 * v[j] + (1.0f - a.beta2) * gradient * gradient;
        const float decay = at + j < a.matrixElements ? scalars.learningRate * a.weightDecay : 0.0f;
        w[j] -= decay * w[j] + step * m[j] / (sqrtf(v[j]) * root + a.epsilon);
    }
    if (a.master != nullptr)
        store(a.master + at, w);
    store(static_cast<T*>(a.weights) + at, w);
    store(a.m + at, m);
    store(a.v + at, v);
}

template <class T>
__global__ void squaresKernel(NormArgs a) {
    double total = 0;
    for (int64_t at = (int64_t{blockIdx.x} * kThreads + threadIdx.x) * kPack; at < a.count;
         at += int64_t{kNormBlocks} * kThreads * kPack) {
        float g[kPack], part = 0;
        load(static_cast<const T*>(a.gradients) + at, g);
#pragma unroll
        for (int j = 0; j < kPack; ++j)
            part += g[j] * g[j];
        total += part;
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        total += __shfl_xor_sync(0xFFFFFFFFu, total, offset);
    __shared__ double parts[kThreads / 32];
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x == 0) {
        double all = 0;
        for (const double part : parts)
            all += part;
        a.partials[blockIdx.x] = all;
    }
}

__global__ void finishKernel(const double* partials, int64_t count, float clip, UpdateScalars* scalars) {
    __shared__ double parts[kThreads];
    double total = 0;
    for (int64_t i = threadIdx.x; i < count; i += kThreads)
        total += partials[i];
    parts[threadIdx.x] = total;
    __syncthreads();
    for (int width = kThreads / 2; width > 0; width /= 2) {
        if (static_cast<int>(threadIdx.x) < width)
            parts[threadIdx.x] += parts[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const double norm = sqrt(parts[0]);
        scalars->norm = norm;
        scalars->finite = isfinite(norm) ? 1 : 0;
        scalars->clipFactor = clip > 0 && norm > clip ? static_cast<float>(clip / norm) : 1.0f;
    }
}

}  // namespace

Status adamw(const AdamWArgs& a, Stream stream) {
    if (a.count < 0 || a.count % kPack != 0)
        return {"adamw: the slab must have a multiple of 8 elements"};
    if (a.master == nullptr && a.dtype != DType::float32)
        return {"adamw: bf16 weights need a master copy"};
    if (a.count == 0)
        return {};
    const auto blocks = static_cast<unsigned>((a.count / kPack + kThreads - 1) / kThreads);
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        return withType(a.gradientDtype, [&](auto* gradientType) {
            using G = std::remove_pointer_t<decltype(gradientType)>;
            adamwKernel<T, G><<<blocks, kThreads, 0, stream>>>(a);
            return launched();
        });
    });
}

int64_t normPartials() {
    return kNormBlocks;
}

Status gradientSquares(const NormArgs& a, Stream stream) {
    if (a.count < 0 || a.count % kPack != 0)
        return {"gradient norm: the slab must have a multiple of 8 elements"};
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        squaresKernel<T><<<kNormBlocks, kThreads, 0, stream>>>(a);
        return launched();
    });
}

Status finishNorm(const double* partials, int64_t count, float clip, UpdateScalars* scalars, Stream stream) {
    finishKernel<<<1, kThreads, 0, stream>>>(partials, count, clip, scalars);
    return launched();
}

}  // namespace unmask::kernels
