// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>

#include "kernels/common/device.cuh"
#include "kernels/common/parts.cuh"
#include "kernels/residual_norm/residual_norm.h"

namespace unmask::kernels {
namespace {

constexpr int kWarps = 4;  // warps a block, each with its own row
constexpr int kBackwardBlocksPerMultiprocessor = 4;

// A lane holds Packs packs of 8 columns: columns (lane + 32 i) * 8.
template <class T, int Packs, bool Layer>
__global__ void forwardKernel(ResidualNormArgs a) {
    const int lane = threadIdx.x % 32;
    const int64_t row = int64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
    if (row >= a.rows)
        return;
    const int64_t base = row * a.C;
    float v[Packs][kPack];
    float total = 0;
#pragma unroll
    for (int i = 0; i < Packs; ++i) {
        const int column = (lane + 32 * i) * kPack;
        if (column >= a.C)
            continue;
        load(static_cast<const T*>(a.x) + base + column, v[i]);
        if (a.delta != nullptr) {
            float d[kPack];
            load(static_cast<const T*>(a.delta) + base + column, d);
#pragma unroll
            for (int j = 0; j < kPack; ++j)
                v[i][j] += d[j];
        }
        if (a.sum != nullptr)
            store(static_cast<T*>(a.sum) + base + column, v[i]);
#pragma unroll
        for (int j = 0; j < kPack; ++j)
            total += Layer ? v[i][j] : v[i][j] * v[i][j];
    }
    float center = 0, square = 0;
    if constexpr (Layer) {
        center = warpSum(total) / a.C;
        float centered = 0;
#pragma unroll
        for (int i = 0; i < Packs; ++i)
            if ((lane + 32 * i) * kPack < a.C)
#pragma unroll
                for (int j = 0; j < kPack; ++j)
                    centered += (v[i][j] - center) * (v[i][j] - center);
        square = warpSum(centered) / a.C;
    } else {
        square = warpSum(total) / a.C;
    }
    const float rstd = rsqrtf(square + a.epsilon);
    if (lane == 0) {
        if (a.rstd != nullptr)
            a.rstd[row] = rstd;
        if constexpr (Layer)
            a.mean[row] = center;
    }
#pragma unroll
    for (int i = 0; i < Packs; ++i) {
        const int column = (lane + 32 * i) * kPack;
        if (column >= a.C)
            continue;
        float w[kPack], b[kPack] = {};
        load(static_cast<const T*>(a.weight) + column, w);
        if (Layer && a.bias != nullptr)
            load(static_cast<const T*>(a.bias) + column, b);
#pragma unroll
        for (int j = 0; j < kPack; ++j)
            v[i][j] = (v[i][j] - center) * rstd * w[j] + b[j];
        store(static_cast<T*>(a.y) + base + column, v[i]);
    }
}

// Blocks walk the rows with a fixed stride and keep their part of the weight gradient in registers; the parts are added
// by a second kernel in block order, so the result repeats.
template <class T, int Packs, bool Layer>
__global__ void backwardKernel(ResidualNormBackwardArgs a) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float dw[Packs][kPack] = {}, db[Layer ? Packs : 1][kPack] = {};
    for (int64_t row = int64_t{blockIdx.x} * kWarps + warp; row < a.rows; row += int64_t{gridDim.x} * kWarps) {
        const int64_t base = row * a.C;
        const float rstd = a.rstd[row], center = Layer ? a.mean[row] : 0.0f;
        // All three inputs are asked for before the first is used: this kernel lives on bytes in flight.
        Raw<T> rawG[Packs], rawX[Packs], rawOut[Packs];
#pragma unroll
        for (int i = 0; i < Packs; ++i) {
            const int column = (lane + 32 * i) * kPack;
            if (column >= a.C)
                continue;
            rawG[i] = loadRaw(static_cast<const T*>(a.gradientY) + base + column);
            rawX[i] = loadRaw(static_cast<const T*>(a.sum) + base + column);
            rawOut[i] = loadRaw(static_cast<const T*>(a.gradient) + base + column);
        }
        float dot = 0, flat = 0;
        // What a pack contributes: incoming gradient g, normalised value hat, weight w.
        const auto unpacked = [&](int i, int column, float(&g)[kPack], float(&hat)[kPack], float(&w)[kPack]) {
            unpack(rawG[i], g);
            unpack(rawX[i], hat);
            load(static_cast<const T*>(a.weight) + column, w);
#pragma unroll
            for (int j = 0; j < kPack; ++j)
                hat[j] = (hat[j] - center) * rstd;
        };
#pragma unroll
        for (int i = 0; i < Packs; ++i) {
            const int column = (lane + 32 * i) * kPack;
            if (column >= a.C)
                continue;
            float g[kPack], hat[kPack], w[kPack];
            unpacked(i, column, g, hat, w);
#pragma unroll
            for (int j = 0; j < kPack; ++j) {
                dw[i][j] += g[j] * hat[j];
                if constexpr (Layer)
                    db[i][j] += g[j];
                dot += g[j] * w[j] * hat[j];
                flat += g[j] * w[j];
            }
        }
        dot = warpSum(dot) / a.C;
        flat = Layer ? warpSum(flat) / a.C : 0.0f;
#pragma unroll
        for (int i = 0; i < Packs; ++i) {
            const int column = (lane + 32 * i) * kPack;
            if (column >= a.C)
                continue;
            float g[kPack], hat[kPack], w[kPack], out[kPack];
            unpacked(i, column, g, hat, w);
            if (a.y != nullptr) {
                float y[kPack], b[kPack] = {};
                if (Layer && a.bias != nullptr)
                    load(static_cast<const T*>(a.bias) + column, b);
#pragma unroll
                for (int j = 0; j < kPack; ++j)
                    y[j] = hat[j] * w[j] + b[j];
                store(static_cast<T*>(a.y) + base + column, y);
            }
            unpack(rawOut[i], out);
#pragma unroll
            for (int j = 0; j < kPack; ++j)
                out[j] += rstd * (g[j] * w[j] - flat - hat[j] * dot);
            store(static_cast<T*>(a.gradient) + base + column, out);
        }
    }
    // Warps of a block add up through shared memory, one after the other.
    extern __shared__ float shared[];  // (1 or 2, C)
    for (int turn = 0; turn < kWarps; ++turn) {
        if (warp == turn)
#pragma unroll
            for (int i = 0; i < Packs; ++i) {
                const int column = (lane + 32 * i) * kPack;
                if (column < a.C)
#pragma unroll
                    for (int j = 0; j < kPack; ++j) {
                        float* const at = shared + column + j;
                        *at = turn == 0 ? dw[i][j] : *at + dw[i][j];
                        if constexpr (Layer)
                            at[a.C] = turn == 0 ? db[i][j] : at[a.C] + db[i][j];
                    }
            }
        __syncthreads();
    }
    const int columns = Layer ? 2 * a.C : a.C;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        a.scratch[int64_t{blockIdx.x} * 2 * a.C + c] = shared[c];
}

template <class F>
Status withPacks(int C, F&& f) {
    const int packs = (C + 32 * kPack - 1) / (32 * kPack);
    if (packs <= 1)
        return f(std::integral_constant<int, 1>{});
    if (packs <= 2)
        return f(std::integral_constant<int, 2>{});
    if (packs <= 3)
        return f(std::integral_constant<int, 3>{});
    if (packs <= 4)
        return f(std::integral_constant<int, 4>{});
    if (packs <= 8)
        return f(std::integral_constant<int, 8>{});
    if (packs <= 16)
        return f(std::integral_constant<int, 16>{});
    return f(std::integral_constant<int, 32>{});
}

int backwardBlocks(int64_t rows) {
    const int64_t most = int64_t{multiprocessors()} * kBackwardBlocksPerMultiprocessor;
    return static_cast<int>(std::min<int64_t>(most, (rows + kWarps - 1) / kWarps));
}

const char* refuse(int64_t rows, int C) {
    if (rows < 0 || C <= 0 || C % kPack != 0 || C > 8192)
        return "residual_norm: C must be a multiple of 8 and at most 8192";
    return nullptr;
}

}  // namespace

Status residualNormForward(const ResidualNormArgs& a, Stream stream) {
    if (const char* reason = refuse(a.rows, a.C))
        return {reason};
    if (a.rows == 0)
        return {};
    const auto blocks = static_cast<unsigned>((a.rows + kWarps - 1) / kWarps);
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        return withPacks(a.C, [&](auto packs) {
            if (a.mean != nullptr)
                forwardKernel<T, packs(), true><<<blocks, kWarps * 32, 0, stream>>>(a);
            else
                forwardKernel<T, packs(), false><<<blocks, kWarps * 32, 0, stream>>>(a);
            return launched();
        });
    });
}

int64_t residualNormScratch(int C) {
    return int64_t{multiprocessors()} * kBackwardBlocksPerMultiprocessor * 2 * C;
}

Status residualNormBackward(const ResidualNormBackwardArgs& a, Stream stream) {
    if (const char* reason = refuse(a.rows, a.C))
        return {reason};
    if (a.rows == 0)
        return {};
    const int blocks = backwardBlocks(a.rows);
    const size_t shared = sizeof(float) * static_cast<size_t>(a.C) * (a.mean != nullptr ? 2 : 1);
    const Status status = withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        return withPacks(a.C, [&](auto packs) {
            const auto launch = [&](auto* kernel) {
                if (shared > 48 * 1024)
                    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
                kernel<<<blocks, kWarps * 32, shared, stream>>>(a);
                return launched();
            };
            return a.mean != nullptr ? launch(&backwardKernel<T, packs(), true>)
                                     : launch(&backwardKernel<T, packs(), false>);
        });
    });
    if (!status.ok())
        return status;
    return addParts({a.scratch, blocks, 2 * a.C, a.C, a.weightGradient, a.biasGradient}, a.gradientDtype, stream);
}

}  // namespace unmask::kernels
