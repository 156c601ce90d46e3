// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/attention.h"

#include "kernels/attention/attention_tiled.h"
#include "kernels/common/device.cuh"

namespace unmask::kernels {

namespace {

constexpr int kWarps = 4;
constexpr int kLanes = 32;
constexpr int kMostWidth = 256;
constexpr int kParts = kMostWidth / kLanes;  // values of a head that one lane keeps

struct Segment {
    int queryBegin, queryEnd, keyBegin, keyEnd;
    __device__ Segment(const int32_t* bounds, int segment)
        : queryBegin(bounds[4 * segment]),
          queryEnd(bounds[4 * segment + 1]),
          keyBegin(bounds[4 * segment + 2]),
          keyEnd(bounds[4 * segment + 3]) {}
};

template <class T>
__device__ float dot(const float* a, const T* b, int D) {
    float sum = 0;
    for (int i = 0; i < D; ++i)
        sum += a[i] * toFloat(b[i]);
    return sum;
}

// acc[p] += factor of lane j · row[lane + 32 p], over up to 32 rows one `stride` apart.
template <class T>
__device__ void addRows(float (&acc)[kParts], float factor, const T* rows, int64_t stride, int count, int D) {
    const int lane = threadIdx.x;
    for (int j = 0; j < count; ++j) {
        const float f = __shfl_sync(0xFFFFFFFFu, factor, j);
#pragma unroll
        for (int p = 0; p < kParts; ++p)
            if (lane + kLanes * p < D)
                acc[p] += f * toFloat(rows[j * stride + lane + kLanes * p]);
    }
}

template <class T>
__device__ void loadHead(float* to, const T* from, int D) {
    for (int i = threadIdx.x; i < D; i += kLanes)
        to[i] = toFloat(from[i]);
    __syncwarp();
}

template <class T>
__device__ void storeHead(T* to, const float (&acc)[kParts], int D, float factor) {
#pragma unroll
    for (int p = 0; p < kParts; ++p)
        if (threadIdx.x + kLanes * p < D)
            assign(to[threadIdx.x + kLanes * p], acc[p] * factor);
}

template <class T>
__global__ void forwardKernel(AttentionArgs a) {
    __shared__ float queries[kWarps][kMostWidth];
    const AttentionShape& s = a.shape;
    const Segment segment(s.bounds, blockIdx.y);
    const int head = blockIdx.z;
    const int group = head / (s.heads / s.groups);
    const T* keys = static_cast<const T*>(a.key) + group * s.D;
    const T* values = static_cast<const T*>(a.value) + group * s.D;
    float* query = queries[threadIdx.y];
    for (int row = segment.queryBegin + blockIdx.x * kWarps + threadIdx.y; row < segment.queryEnd;
         row += gridDim.x * kWarps) {
        loadHead(query, static_cast<const T*>(a.query) + row * a.queryStride + head * s.D, s.D);
        float acc[kParts] = {};
        float most = -INFINITY;
        float sum = 0;
        for (int first = segment.keyBegin; first < segment.keyEnd; first += kLanes) {
            const int key = first + static_cast<int>(threadIdx.x);
            const float score = key < segment.keyEnd ? s.scale * dot(query, keys + key * a.keyStride, s.D) : -INFINITY;
            const float newMost = fmaxf(most, warpMax(score));
            const float p = __expf(score - newMost);
            const float shrink = __expf(most - newMost);
            sum = sum * shrink + warpSum(p);
            for (float& value : acc)
                value *= shrink;
            addRows(acc, p, values + first * a.keyStride, a.keyStride, min(kLanes, segment.keyEnd - first), s.D);
            most = newMost;
        }
        storeHead(static_cast<T*>(a.out) + (int64_t{row} * s.heads + head) * s.D, acc, s.D, sum > 0 ? 1 / sum : 0);
        if (threadIdx.x == 0)
            a.logSumExp[int64_t{row} * s.heads + head] = most + __logf(sum);
        __syncwarp();
    }
}

// Also leaves delta = out · gradientOut of each query for the other kernel.
template <class T>
__global__ void queryGradientKernel(AttentionBackwardArgs b) {
    __shared__ float queries[kWarps][kMostWidth];
    __shared__ float gradients[kWarps][kMostWidth];
    const AttentionArgs& a = b.forward;
    const AttentionShape& s = a.shape;
    const Segment segment(s.bounds, blockIdx.y);
    const int head = blockIdx.z;
    const int group = head / (s.heads / s.groups);
    const T* keys = static_cast<const T*>(a.key) + group * s.D;
    const T* values = static_cast<const T*>(a.value) + group * s.D;
    for (int row = segment.queryBegin + blockIdx.x * kWarps + threadIdx.y; row < segment.queryEnd;
         row += gridDim.x * kWarps) {
        float* query = queries[threadIdx.y];
        float* gradient = gradients[threadIdx.y];
        const int64_t place = int64_t{row} * s.heads + head;
        loadHead(query, static_cast<const T*>(a.query) + row * a.queryStride + head * s.D, s.D);
        loadHead(gradient, static_cast<const T*>(b.gradientOut) + place * s.D, s.D);
        const T* out = static_cast<const T*>(a.out) + place * s.D;
        float delta = 0;
        for (int i = threadIdx.x; i < s.D; i += kLanes)
            delta += gradient[i] * toFloat(out[i]);
        delta = warpSum(delta);
        const float lse = a.logSumExp[place];
        float acc[kParts] = {};
        for (int first = segment.keyBegin; first < segment.keyEnd; first += kLanes) {
            const int key = first + static_cast<int>(threadIdx.x);
            float ds = 0;
            if (key < segment.keyEnd) {
                const float p = __expf(s.scale * dot(query, keys + key * a.keyStride, s.D) - lse);
                ds = p * (dot(gradient, values + key * a.keyStride, s.D) - delta);
            }
            addRows(acc, ds, keys + first * a.keyStride, a.keyStride, min(kLanes, segment.keyEnd - first), s.D);
        }
        storeHead(static_cast<T*>(b.gradientQuery) + row * b.gradientQueryStride + head * s.D, acc, s.D, s.scale);
        if (threadIdx.x == 0)
            b.delta[place] = delta;
        __syncwarp();
    }
}

template <class T>
__global__ void keyGradientKernel(AttentionBackwardArgs b) {
    __shared__ float keyRows[kWarps][kMostWidth];
    __shared__ float valueRows[kWarps][kMostWidth];
    const AttentionArgs& a = b.forward;
    const AttentionShape& s = a.shape;
    const Segment segment(s.bounds, blockIdx.y);
    const int group = blockIdx.z;
    const int heads = s.heads / s.groups;
    const int64_t outStride = int64_t{s.heads} * s.D;
    for (int row = segment.keyBegin + blockIdx.x * kWarps + threadIdx.y; row < segment.keyEnd;
         row += gridDim.x * kWarps) {
        float* key = keyRows[threadIdx.y];
        float* value = valueRows[threadIdx.y];
        loadHead(key, static_cast<const T*>(a.key) + row * a.keyStride + group * s.D, s.D);
        loadHead(value, static_cast<const T*>(a.value) + row * a.keyStride + group * s.D, s.D);
        float toKey[kParts] = {};
        float toValue[kParts] = {};
        for (int head = group * heads; head < (group + 1) * heads; ++head) {
            const T* queries = static_cast<const T*>(a.query) + head * s.D;
            const T* gradients = static_cast<const T*>(b.gradientOut) + head * s.D;
            for (int first = segment.queryBegin; first < segment.queryEnd; first += kLanes) {
                const int query = first + static_cast<int>(threadIdx.x);
                float p = 0;
                float ds = 0;
                if (query < segment.queryEnd) {
                    const int64_t place = int64_t{query} * s.heads + head;
                    p = __expf(s.scale * dot(key, queries + query * a.queryStride, s.D) - a.logSumExp[place]);
                    ds = p * (dot(value, gradients + query * outStride, s.D) - b.delta[place]);
                }
                const int count = min(kLanes, segment.queryEnd - first);
                addRows(toValue, p, gradients + first * outStride, outStride, count, s.D);
                addRows(toKey, ds, queries + first * a.queryStride, a.queryStride, count, s.D);
            }
        }
        storeHead(static_cast<T*>(b.gradientKey) + row * b.gradientKeyStride + group * s.D, toKey, s.D, s.scale);
        storeHead(static_cast<T*>(b.gradientValue) + row * b.gradientKeyStride + group * s.D, toValue, s.D, 1);
        __syncwarp();
    }
}

__global__ void segmentTablesKernel(SegmentTableArgs a) {
    const SegmentTables& t = a.tables;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= a.segments; i += gridDim.x * blockDim.x) {
        const bool end = i == a.segments;
        const int32_t* segment = a.bounds + 4 * (end ? i - 1 : i);
        const int query = segment[end ? 1 : 0];
        const int key = segment[end ? 3 : 2];
        t.query[i] = query * a.queryStride;
        t.key[i] = key * a.keyStride;
        t.out[i] = query * a.outStride;
        t.logSumExp[i] = query * a.logSumExpStride;
        if (t.gradientQuery != nullptr) {
            t.gradientQuery[i] = query * a.gradientQueryStride;
            t.gradientKey[i] = key * a.gradientKeyStride;
        }
        if (end)
            continue;
        t.queryLengths[i] = segment[1] - segment[0];
        t.keyLengths[i] = segment[3] - segment[2];
    }
}

const char* refuse(const AttentionShape& s) {
    if (s.segments < 0 || s.segments > 65535 || s.longest < 0)
        return "attention: at most 65,535 segments";
    if (s.D < 1 || s.D > kMostWidth)
        return "attention: the head width must be 1 to 256";
    if (s.groups < 1 || s.heads % s.groups != 0)
        return "attention: query heads must be a multiple of key heads";
    return nullptr;
}

dim3 gridFor(const AttentionShape& s, int heads) {
    const int tiles = (s.longest + kWarps - 1) / kWarps;
    return dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(s.segments), static_cast<unsigned>(heads));
}

}  // namespace

Status attentionForward(const AttentionArgs& a, Stream stream) {
    if (const char* reason = refuse(a.shape))
        return {reason};
    if (a.shape.segments == 0 || a.shape.longest == 0)
        return {};
    if (attentionFitsTiles(a.shape))
        return tiledAttentionForward(a, stream);
    return withType(a.shape.dtype, [&]<class T>(T*) {
        forwardKernel<T><<<gridFor(a.shape, a.shape.heads), dim3(kLanes, kWarps), 0, stream>>>(a);
        return launched();
    });
}

Status attentionBackward(const AttentionBackwardArgs& b, Stream stream) {
    const AttentionShape& s = b.forward.shape;
    if (const char* reason = refuse(s))
        return {reason};
    if (s.segments == 0 || s.longest == 0)
        return {};
    if (attentionFitsTiles(s))
        return tiledAttentionBackward(b, stream);
    return withType(s.dtype, [&]<class T>(T*) {
        const dim3 block(kLanes, kWarps);
        queryGradientKernel<T><<<gridFor(s, s.heads), block, 0, stream>>>(b);
        if (const Status status = launched(); !status.ok())
            return status;
        keyGradientKernel<T><<<gridFor(s, s.groups), block, 0, stream>>>(b);
        return launched();
    });
}

Status segmentTables(const SegmentTableArgs& a, Stream stream) {
    if (a.segments < 1)
        return {"segment tables: at least one segment"};
    segmentTablesKernel<<<(a.segments + 256) / 256, 256, 0, stream>>>(a);
    return launched();
}

}  // namespace unmask::kernels
