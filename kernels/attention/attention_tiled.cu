// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/attention_tiled.h"

#include "kernels/common/device.cuh"

namespace unmask::kernels {

namespace {

constexpr int kTile = 64;    // queries and keys of a tile
constexpr int kAcross = 16;  // threads along the columns, and as many along the rows
constexpr int kEach = 4;     // rows and columns of a tile that one thread computes
constexpr int kThreads = kAcross * kAcross;
constexpr int kScoreStride = kTile + 4;  // floats; a row more than a multiple of 32 banks, aligned to 16 bytes
constexpr int kScores = kTile * kScoreStride;

// Width of a head in shared memory, padded with zeros: 64 or 128, and 4 against bank conflicts.
template <int Chunks>
constexpr int kStride = Chunks* kTile + 4;
template <int Chunks>
constexpr int kTileFloats = kTile* kStride<Chunks>;

struct Range {
    int begin, end;
};
__device__ inline Range queriesOf(const int32_t* bounds, int segment) {
    return {bounds[4 * segment], bounds[4 * segment + 1]};
}
__device__ inline Range keysOf(const int32_t* bounds, int segment) {
    return {bounds[4 * segment + 2], bounds[4 * segment + 3]};
}

// Rows first to first + 63 of one head as floats; what lies behind `end` or the head's width becomes 0.
template <class T, int Chunks>
__device__ void loadTile(float* to, const T* from, int64_t stride, int first, int end, int D) {
    constexpr int kQuads = Chunks * kTile / 4;
    for (int i = threadIdx.x; i < kTile * kQuads; i += kThreads) {
        const int row = i / kQuads, column = i % kQuads * 4;
        float4 values{};
        if (first + row < end && column < D) {
            const T* p = from + int64_t{first + row} * stride + column;
            values = {toFloat(p[0]), toFloat(p[1]), toFloat(p[2]), toFloat(p[3])};
        }
        *reinterpret_cast<float4*>(to + row * kStride<Chunks> + column) = values;
    }
}

struct Place {
    int row = static_cast<int>(threadIdx.x) / kAcross * kEach;  // its rows are row + i
    int column = static_cast<int>(threadIdx.x) % kAcross;       // its columns are column + 16 j
};

__device__ inline float dot4(float4 a, float4 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// s[i][j] = rows[place.row + i] · columns[place.column + 16 j]
template <int Chunks>
__device__ void dots(const float* rows, const float* columns, const Place& place, int D, float (&s)[kEach][kEach]) {
#pragma unroll
    for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j)
            s[i][j] = 0;
    for (int d = 0; d < D; d += 4) {
        float4 a[kEach], b[kEach];
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
            a[i] = *reinterpret_cast<const float4*>(rows + (place.row + i) * kStride<Chunks> + d);
            b[i] = *reinterpret_cast<const float4*>(columns + (place.column + kAcross * i) * kStride<Chunks> + d);
        }
#pragma unroll
        for (int i = 0; i < kEach; ++i)
#pragma unroll
            for (int j = 0; j < kEach; ++j)
                s[i][j] += dot4(a[i], b[j]);
    }
}

// What a thread holds of a (64, width) result: rows place.row + i, columns 4 place.column + 64 chunk.
template <int Chunks>
struct Result {
    float4 values[kEach][Chunks] = {};

    // += scores (64, 64) · tile (64, width)
    __device__ void add(const float* scores, const float* tile, const Place& place) {
        for (int k = 0; k < kTile; k += 4) {
            float4 factor[kEach];
#pragma unroll
            for (int i = 0; i < kEach; ++i)
                factor[i] = *reinterpret_cast<const float4*>(scores + (place.row + i) * kScoreStride + k);
#pragma unroll
            for (int step = 0; step < 4; ++step)
#pragma unroll
                for (int c = 0; c < Chunks; ++c) {
                    const float4 v = *reinterpret_cast<const float4*>(tile + (k + step) * kStride<Chunks> + c * kTile +
                                                                      4 * place.column);
#pragma unroll
                    for (int i = 0; i < kEach; ++i) {
                        const float f = step == 0   ? factor[i].x
                                        : step == 1 ? factor[i].y
                                        : step == 2 ? factor[i].z
                                                    : factor[i].w;
                        values[i][c].x += f * v.x, values[i][c].y += f * v.y;
                        values[i][c].z += f * v.z, values[i][c].w += f * v.w;
                    }
                }
        }
    }
    __device__ void scale(int i, float factor) {
#pragma unroll
        for (int c = 0; c < Chunks; ++c) {
            values[i][c].x *= factor, values[i][c].y *= factor;
            values[i][c].z *= factor, values[i][c].w *= factor;
        }
    }
    template <class T>
    __device__ void store(T* to, int64_t stride, int first, int end, int D, const Place& place) const {
#pragma unroll
        for (int i = 0; i < kEach; ++i)
#pragma unroll
            for (int c = 0; c < Chunks; ++c) {
                const int row = first + place.row + i, column = c * kTile + 4 * place.column;
                if (row >= end || column >= D)
                    continue;
                T* p = to + int64_t{row} * stride + column;
                assign(p[0], values[i][c].x), assign(p[1], values[i][c].y);
                assign(p[2], values[i][c].z), assign(p[3], values[i][c].w);
            }
    }
};

// Over the 16 threads that share a row.
__device__ inline float rowMax(float x) {
#pragma unroll
    for (int offset = kAcross / 2; offset > 0; offset /= 2)
        x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFu, x, offset));
    return x;
}
__device__ inline float rowSum(float x) {
#pragma unroll
    for (int offset = kAcross / 2; offset > 0; offset /= 2)
        x += __shfl_xor_sync(0xFFFFFFFFu, x, offset);
    return x;
}

template <class T, int Chunks>
__global__ void __launch_bounds__(kThreads) forwardKernel(AttentionArgs a) {
    extern __shared__ __align__(16) float memory[];
    float *const query = memory, *const key = query + kTileFloats<Chunks>, *const value = key + kTileFloats<Chunks>,
                 *const scores = value + kTileFloats<Chunks>;
    const AttentionShape& s = a.shape;
    const Range queries = queriesOf(s.bounds, blockIdx.y), keys = keysOf(s.bounds, blockIdx.y);
    const int first = queries.begin + static_cast<int>(blockIdx.x) * kTile;
    if (first >= queries.end)
        return;
    const Place place;
    const int head = blockIdx.z, group = head / (s.heads / s.groups);
    loadTile<T, Chunks>(query, static_cast<const T*>(a.query) + head * s.D, a.queryStride, first, queries.end, s.D);
    Result<Chunks> out;
    float most[kEach], sum[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i)
        most[i] = -INFINITY, sum[i] = 0;
    for (int start = keys.begin; start < keys.end; start += kTile) {
        __syncthreads();  // the tiles of the round before are done with
        loadTile<T, Chunks>(key, static_cast<const T*>(a.key) + group * s.D, a.keyStride, start, keys.end, s.D);
        loadTile<T, Chunks>(value, static_cast<const T*>(a.value) + group * s.D, a.keyStride, start, keys.end, s.D);
        __syncthreads();
        float p[kEach][kEach];
        dots<Chunks>(query, key, place, s.D, p);
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
            float top = -INFINITY;
#pragma unroll
            for (int j = 0; j < kEach; ++j) {
                p[i][j] = start + place.column + kAcross * j < keys.end ? s.scale * p[i][j] : -INFINITY;
                top = fmaxf(top, p[i][j]);
            }
            top = fmaxf(most[i], rowMax(top));
            const float shrink = __expf(most[i] - top);
            float part = 0;
#pragma unroll
            for (int j = 0; j < kEach; ++j) {
                p[i][j] = __expf(p[i][j] - top);
                part += p[i][j];
                scores[(place.row + i) * kScoreStride + place.column + kAcross * j] = p[i][j];
            }
            sum[i] = sum[i] * shrink + rowSum(part);
            most[i] = top;
            out.scale(i, shrink);
        }
        __syncthreads();
        out.add(scores, value, place);
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        out.scale(i, sum[i] > 0 ? 1 / sum[i] : 0);
        if (place.column == 0 && first + place.row + i < queries.end)
            a.logSumExp[int64_t{first + place.row + i} * s.heads + head] = most[i] + __logf(sum[i]);
    }
    out.store(static_cast<T*>(a.out) + head * s.D, int64_t{s.heads} * s.D, first, queries.end, s.D, place);
}

// delta = out · gradientOut of 64 queries, four threads a row, to shared memory and for the other kernel.
template <class T, int Chunks>
__device__ void deltas(const AttentionBackwardArgs& b, const float* gradient, float* to, int first, int end, int head) {
    const AttentionShape& s = b.forward.shape;
    const int row = threadIdx.x / 4;
    float sum = 0;
    const int64_t place = int64_t{first + row} * s.heads + head;
    if (first + row < end) {
        const T* out = static_cast<const T*>(b.forward.out) + place * s.D;
        for (int d = threadIdx.x % 4; d < s.D; d += 4)
            sum += gradient[row * kStride<Chunks> + d] * toFloat(out[d]);
    }
    sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 1);
    sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 2);
    if (threadIdx.x % 4 != 0)
        return;
    to[row] = sum;
    if (first + row < end)
        b.delta[place] = sum;
}

template <class T, int Chunks>
__global__ void __launch_bounds__(kThreads) queryGradientKernel(AttentionBackwardArgs b) {
    extern __shared__ __align__(16) float memory[];
    constexpr int kFloats = kTileFloats<Chunks>;
    float *const query = memory, *const gradient = query + kFloats, *const key = gradient + kFloats,
                 *const value = key + kFloats, *const scores = value + kFloats, *const delta = scores + kScores,
                 *const lse = delta + kTile;
    const AttentionArgs& a = b.forward;
    const AttentionShape& s = a.shape;
    const Range queries = queriesOf(s.bounds, blockIdx.y), keys = keysOf(s.bounds, blockIdx.y);
    const int first = queries.begin + static_cast<int>(blockIdx.x) * kTile;
    if (first >= queries.end)
        return;
    const Place place;
    const int head = blockIdx.z, group = head / (s.heads / s.groups);
    const int64_t outStride = int64_t{s.heads} * s.D;
    loadTile<T, Chunks>(query, static_cast<const T*>(a.query) + head * s.D, a.queryStride, first, queries.end, s.D);
    loadTile<T, Chunks>(gradient, static_cast<const T*>(b.gradientOut) + head * s.D, outStride, first, queries.end,
                        s.D);
    if (threadIdx.x < kTile)
        lse[threadIdx.x] = first + static_cast<int>(threadIdx.x) < queries.end
                               ? a.logSumExp[int64_t{first + static_cast<int>(threadIdx.x)} * s.heads + head]
                               : 0;
    __syncthreads();
    deltas<T, Chunks>(b, gradient, delta, first, queries.end, head);
    Result<Chunks> result;
    for (int start = keys.begin; start < keys.end; start += kTile) {
        __syncthreads();
        loadTile<T, Chunks>(key, static_cast<const T*>(a.key) + group * s.D, a.keyStride, start, keys.end, s.D);
        loadTile<T, Chunks>(value, static_cast<const T*>(a.value) + group * s.D, a.keyStride, start, keys.end, s.D);
        __syncthreads();
        float p[kEach][kEach], dp[kEach][kEach];
        dots<Chunks>(query, key, place, s.D, p);
        dots<Chunks>(gradient, value, place, s.D, dp);
#pragma unroll
        for (int i = 0; i < kEach; ++i)
#pragma unroll
            for (int j = 0; j < kEach; ++j) {
                const int row = place.row + i, column = place.column + kAcross * j;
                const bool inside = start + column < keys.end;
                scores[row * kScoreStride + column] =
                    inside ? __expf(s.scale * p[i][j] - lse[row]) * (dp[i][j] - delta[row]) : 0;
            }
        __syncthreads();
        result.add(scores, key, place);
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i)
        result.scale(i, s.scale);
    result.store(static_cast<T*>(b.gradientQuery) + head * s.D, b.gradientQueryStride, first, queries.end, s.D, place);
}

// Rows are keys here and columns queries, so that both results are sums over a row.
template <class T, int Chunks>
__global__ void __launch_bounds__(kThreads) keyGradientKernel(AttentionBackwardArgs b) {
    extern __shared__ __align__(16) float memory[];
    constexpr int kFloats = kTileFloats<Chunks>;
    float *const key = memory, *const value = key + kFloats, *const query = value + kFloats,
                 *const gradient = query + kFloats, *const shares = gradient + kFloats,
                 *const scores = shares + kScores, *const delta = scores + kScores, *const lse = delta + kTile;
    const AttentionArgs& a = b.forward;
    const AttentionShape& s = a.shape;
    const Range queries = queriesOf(s.bounds, blockIdx.y), keys = keysOf(s.bounds, blockIdx.y);
    const int first = keys.begin + static_cast<int>(blockIdx.x) * kTile;
    if (first >= keys.end)
        return;
    const Place place;
    const int group = blockIdx.z, heads = s.heads / s.groups;
    const int64_t outStride = int64_t{s.heads} * s.D;
    loadTile<T, Chunks>(key, static_cast<const T*>(a.key) + group * s.D, a.keyStride, first, keys.end, s.D);
    loadTile<T, Chunks>(value, static_cast<const T*>(a.value) + group * s.D, a.keyStride, first, keys.end, s.D);
    Result<Chunks> toKey, toValue;
    for (int head = group * heads; head < (group + 1) * heads; ++head)
        for (int start = queries.begin; start < queries.end; start += kTile) {
            __syncthreads();
            loadTile<T, Chunks>(query, static_cast<const T*>(a.query) + head * s.D, a.queryStride, start, queries.end,
                                s.D);
            loadTile<T, Chunks>(gradient, static_cast<const T*>(b.gradientOut) + head * s.D, outStride, start,
                                queries.end, s.D);
            if (threadIdx.x < kTile) {
                const int row = start + static_cast<int>(threadIdx.x);
                lse[threadIdx.x] = row < queries.end ? a.logSumExp[int64_t{row} * s.heads + head] : 0;
                delta[threadIdx.x] = row < queries.end ? b.delta[int64_t{row} * s.heads + head] : 0;
            }
            __syncthreads();
            float p[kEach][kEach], dp[kEach][kEach];
            dots<Chunks>(key, query, place, s.D, p);
            dots<Chunks>(value, gradient, place, s.D, dp);
#pragma unroll
            for (int i = 0; i < kEach; ++i)
#pragma unroll
                for (int j = 0; j < kEach; ++j) {
                    const int row = place.row + i, column = place.column + kAcross * j;
                    const bool inside = start + column < queries.end;
                    const float share = inside ? __expf(s.scale * p[i][j] - lse[column]) : 0;
                    shares[row * kScoreStride + column] = share;
                    scores[row * kScoreStride + column] = share * (dp[i][j] - delta[column]);
                }
            __syncthreads();
            toValue.add(shares, gradient, place);
            toKey.add(scores, query, place);
        }
#pragma unroll
    for (int i = 0; i < kEach; ++i)
        toKey.scale(i, s.scale);
    toKey.store(static_cast<T*>(b.gradientKey) + group * s.D, b.gradientKeyStride, first, keys.end, s.D, place);
    toValue.store(static_cast<T*>(b.gradientValue) + group * s.D, b.gradientKeyStride, first, keys.end, s.D, place);
}

template <int Chunks>
constexpr size_t kForwardBytes = (3 * kTileFloats<Chunks> + kScores) * sizeof(float);
template <int Chunks>
constexpr size_t kQueryBytes = (4 * kTileFloats<Chunks> + kScores + 2 * kTile) * sizeof(float);
template <int Chunks>
constexpr size_t kKeyBytes = (4 * kTileFloats<Chunks> + 2 * kScores + 2 * kTile) * sizeof(float);

template <class Args>
Status launch(void (*kernel)(Args), const Args& args, const AttentionShape& s, int heads, size_t bytes, Stream stream) {
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) !=
        cudaSuccess)
        return launched();
    const dim3 grid(static_cast<unsigned>((s.longest + kTile - 1) / kTile), static_cast<unsigned>(s.segments),
                    static_cast<unsigned>(heads));
    kernel<<<grid, kThreads, bytes, stream>>>(args);
    return launched();
}

template <class F>
Status withChunks(const AttentionShape& s, F&& f) {
    return withType(s.dtype, [&]<class T>(T* type) {
        return s.D <= kTile ? f(type, std::integral_constant<int, 1>()) : f(type, std::integral_constant<int, 2>());
    });
}

}  // namespace

bool attentionFitsTiles(const AttentionShape& s) {
    if (s.D % 4 != 0 || s.D > 2 * kTile)
        return false;
    int device = 0, most = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess)
        return false;
    return static_cast<size_t>(most) >= (s.D <= kTile ? kKeyBytes<1> : kKeyBytes<2>);
}

Status tiledAttentionForward(const AttentionArgs& a, Stream stream) {
    return withChunks(a.shape, [&]<class T, int Chunks>(T*, std::integral_constant<int, Chunks>) {
        return launch(&forwardKernel<T, Chunks>, a, a.shape, a.shape.heads, kForwardBytes<Chunks>, stream);
    });
}

Status tiledAttentionBackward(const AttentionBackwardArgs& b, Stream stream) {
    const AttentionShape& s = b.forward.shape;
    return withChunks(s, [&]<class T, int Chunks>(T*, std::integral_constant<int, Chunks>) {
        const Status status = launch(&queryGradientKernel<T, Chunks>, b, s, s.heads, kQueryBytes<Chunks>, stream);
        return status.ok() ? launch(&keyGradientKernel<T, Chunks>, b, s, s.groups, kKeyBytes<Chunks>, stream) : status;
    });
}

}  // namespace unmask::kernels
