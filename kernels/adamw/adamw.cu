// SPDX-License-Identifier: Apache-2.0
#include "kernels/adamw/adamw.h"

#include <algorithm>
#include <type_traits>

#include "kernels/common/device.cuh"
#include "kernels/common/pieces.cuh"
#include "kernels/common/stochastic_rounding.h"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kNormBlocks = 1024;  // fixed, so that the order of the sum does not depend on the device
constexpr int kNormPacks = 4;      // packs a thread reads at once
constexpr int64_t kUpdateChunk = kThreads * kPack;
constexpr int64_t kNormChunk = kThreads * kPack * kNormPacks;

template <class Slab>
int64_t countOf(const Slab& slab) {
    return slab.count;
}

struct Settings {
    const UpdateScalars* scalars;
    float beta1, beta2, epsilon, weightDecay;
    uint64_t seed;
    uint32_t tag;
};

__device__ inline void storeRounded(__nv_bfloat16* p, const float (&x)[kPack], const PhiloxBlock& random) {
    uint4 raw;
    uint32_t* const pairs = reinterpret_cast<uint32_t*>(&raw);
#pragma unroll
    for (int i = 0; i < kPack / 2; ++i) {
        const uint32_t low = roundStochastically(__float_as_uint(x[2 * i]), random.words[i] & 0xFFFFu);
        const uint32_t high = roundStochastically(__float_as_uint(x[2 * i + 1]), random.words[i] >> 16);
        pairs[i] = low | high << 16;
    }
    *reinterpret_cast<uint4*>(p) = raw;
}

// W, G, M: storage of weights, gradients, moments.
template <class W, class G, class M, bool Master>
__global__ void __launch_bounds__(kThreads) adamwKernel(const __grid_constant__ Pieces<AdamWSlab> pieces, Settings a) {
    const UpdateScalars scalars = *a.scalars;
    const int number = slabOf(pieces, blockIdx.x);
    const AdamWSlab& slab = pieces.slabs[number];
    const int64_t at = int64_t{blockIdx.x - pieces.firstChunk[number]} * kUpdateChunk + threadIdx.x * kPack;
    if (at >= slab.count || !scalars.finite)
        return;
    W* const weights = static_cast<W*>(slab.weights) + at;
    M* const ms = static_cast<M*>(slab.m) + at;
    M* const vs = static_cast<M*>(slab.v) + at;
    float w[kPack], g[kPack], m[kPack], v[kPack];
    if constexpr (Master)
        load(slab.master + at, w);
    else
        load(weights, w);
    load(static_cast<const G*>(slab.gradients) + at, g);
    load(ms, m);
    load(vs, v);
    const float step = scalars.learningRate / scalars.biasCorrection1;
    const float root = rsqrtf(scalars.biasCorrection2);
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        const float gradient = g[j] * scalars.gradientFactor;
        m[j] = a.beta1 * m[j] + (1.0f - a.beta1) * gradient;
        v[j] = a.beta2 * v[j] + (1.0f - a.beta2) * gradient * gradient;
        const float decay = at + j < slab.matrixElements ? scalars.learningRate * a.weightDecay : 0.0f;
        // Root and quotient to two units in the last place: exact ones would cost more than the memory does.
        const float deviation = v[j] > 0 ? v[j] * rsqrtf(v[j]) * root : 0.0f;
        w[j] -= decay * w[j] + __fdividef(step * m[j], deviation + a.epsilon);
    }
    constexpr bool kRoundMoments = std::is_same_v<M, __nv_bfloat16>;
    constexpr bool kRoundWeights = std::is_same_v<W, __nv_bfloat16> && !Master;
    RoundingBits random;
    if constexpr (kRoundMoments || kRoundWeights)
        random = roundingBits(at, static_cast<uint32_t>(pieces.firstSlab + number), scalars.update, a.seed, a.tag);
    if constexpr (kRoundMoments) {
        storeRounded(ms, m, random.m);
        storeRounded(vs, v, random.v);
    } else {
        store(ms, m);
        store(vs, v);
    }
    if constexpr (Master)
        store(slab.master + at, w);
    if constexpr (kRoundWeights)
        storeRounded(weights, w, random.weights);
    else
        store(weights, w);
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    squaresKernel(const __grid_constant__ Pieces<NormSlab> pieces, double* partials) {
    double total = 0;
    const uint32_t chunks = pieces.firstChunk[pieces.count];
    for (uint32_t chunk = blockIdx.x; chunk < chunks; chunk += kNormBlocks) {
        const int number = slabOf(pieces, chunk);
        const NormSlab& slab = pieces.slabs[number];
        const int64_t first = int64_t{chunk - pieces.firstChunk[number]} * kNormChunk + threadIdx.x * kPack;
        Raw<T> raw[kNormPacks];
#pragma unroll
        for (int i = 0; i < kNormPacks; ++i)
            if (first + i * kThreads * kPack < slab.count)
                raw[i] = loadRaw(static_cast<const T*>(slab.gradients) + first + i * kThreads * kPack);
        float part = 0;
#pragma unroll
        for (int i = 0; i < kNormPacks; ++i)
            if (first + i * kThreads * kPack < slab.count) {
                float g[kPack];
                unpack(raw[i], g);
#pragma unroll
                for (int j = 0; j < kPack; ++j)
                    part += g[j] * g[j];
            }
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
        partials[blockIdx.x] = all;
    }
}

__global__ void finishKernel(const double* partials, int64_t count, float clip, const double* loss,
                             UpdateScalars* scalars) {
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
        const double scale = scalars->gradientScale, norm = sqrt(parts[0]) / scale;
        scalars->norm = norm;
        scalars->finite = isfinite(norm) && (loss == nullptr || isfinite(*loss)) ? 1 : 0;
        scalars->gradientFactor = static_cast<float>((clip > 0 && norm > clip ? clip / norm : 1.0) / scale);
        if (scalars->dynamicScale == 0)
            return;
        if (!isfinite(norm)) {
            scalars->gradientScale = fmaxf(scalars->gradientScale / 2, 1.0f);
            scalars->goodUpdates = 0;
        } else if (++scalars->goodUpdates == kGoodUpdates) {
            scalars->gradientScale = fminf(scalars->gradientScale * 2, kLargestGradientScale);
            scalars->goodUpdates = 0;
        }
    }
}

const char* refuse(const AdamWArgs& a) {
    for (int i = 0; i < a.slabCount; ++i) {
        if (a.slabs[i].count < 0 || a.slabs[i].count % kPack != 0)
            return "adamw: a slab must have a multiple of 8 elements";
        if ((a.slabs[i].master != nullptr) != (a.slabs[0].master != nullptr))
            return "adamw: all slabs must have a master copy, or none";
        if (a.slabs[i].master != nullptr && a.dtype == DType::float32)
            return "adamw: float weights are their own master copy";
        if (a.slabs[i].master == nullptr && a.dtype == DType::float16)
            return "adamw: half weights need a master copy";
    }
    return nullptr;
}

template <class W, bool Master>
Status update(const AdamWArgs& a, const Pieces<AdamWSlab>& pieces, Stream stream) {
    const Settings settings{a.scalars, a.beta1, a.beta2, a.epsilon, a.weightDecay, a.seed, a.tag};
    return withType(a.gradientDtype, [&](auto* gradientType) {
        using G = std::remove_pointer_t<decltype(gradientType)>;
        return withType(a.momentDtype, [&](auto* momentType) {
            using M = std::remove_pointer_t<decltype(momentType)>;
            adamwKernel<W, G, M, Master><<<pieces.chunks(), kThreads, 0, stream>>>(pieces, settings);
            return launched();
        });
    });
}

}  // namespace

Status adamw(const AdamWArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    Status status;
    for (int first = 0; first < a.slabCount && status.ok(); first += kSlabsALaunch) {
        const Pieces<AdamWSlab> pieces = piecesOf(a.slabs, a.slabCount, first, kUpdateChunk, countOf<AdamWSlab>);
        if (pieces.chunks() == 0)
            continue;
        if (a.dtype == DType::float32)
            status = update<float, false>(a, pieces, stream);
        else if (a.dtype == DType::float16)
            status = update<__half, true>(a, pieces, stream);
        else if (a.slabs[0].master != nullptr)
            status = update<__nv_bfloat16, true>(a, pieces, stream);
        else
            status = update<__nv_bfloat16, false>(a, pieces, stream);
    }
    return status;
}

int64_t normPartials(int slabCount) {
    return int64_t{kNormBlocks} * ((slabCount + kSlabsALaunch - 1) / kSlabsALaunch);
}

Status gradientNorm(const NormArgs& a, Stream stream) {
    for (int i = 0; i < a.slabCount; ++i)
        if (a.slabs[i].count < 0 || a.slabs[i].count % kPack != 0)
            return {"gradient norm: a slab must have a multiple of 8 elements"};
    Status status;
    double* partials = a.partials;
    for (int first = 0; first < a.slabCount && status.ok(); first += kSlabsALaunch, partials += kNormBlocks) {
        const Pieces<NormSlab> pieces = piecesOf(a.slabs, a.slabCount, first, kNormChunk, countOf<NormSlab>);
        status = withType(a.dtype, [&](auto* type) {
            using T = std::remove_pointer_t<decltype(type)>;
            squaresKernel<T><<<kNormBlocks, kThreads, 0, stream>>>(pieces, partials);
            return launched();
        });
    }
    if (!status.ok())
        return status;
    finishKernel<<<1, kThreads, 0, stream>>>(a.partials, normPartials(a.slabCount), a.clip, a.loss, a.scalars);
    return launched();
}

}  // namespace unmask::kernels
