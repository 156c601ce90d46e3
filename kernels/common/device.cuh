// SPDX-License-Identifier: Apache-2.0
// Device helpers: 16-byte loads of any storage type as floats, reductions over a warp or block, launch checks.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

// Eight values of a row: one 16-byte access in 16-bit types, two in float.
constexpr int kPack = 8;

// Eight values as they lie in memory, to hold many loads in few registers.
template <class T>
struct Raw;
template <>
struct Raw<float> {
    float4 low, high;
};
template <>
struct Raw<__nv_bfloat16> {
    uint4 bits;
};
template <>
struct Raw<__half> {
    uint4 bits;
};

__device__ inline Raw<float> loadRaw(const float* p) {
    return {reinterpret_cast<const float4*>(p)[0], reinterpret_cast<const float4*>(p)[1]};
}
__device__ inline Raw<__nv_bfloat16> loadRaw(const __nv_bfloat16* p) {
    return {*reinterpret_cast<const uint4*>(p)};
}
__device__ inline Raw<__half> loadRaw(const __half* p) {
    return {*reinterpret_cast<const uint4*>(p)};
}
__device__ inline void unpack(const Raw<float>& raw, float (&out)[kPack]) {
    out[0] = raw.low.x, out[1] = raw.low.y, out[2] = raw.low.z, out[3] = raw.low.w;
    out[4] = raw.high.x, out[5] = raw.high.y, out[6] = raw.high.z, out[7] = raw.high.w;
}
__device__ inline void unpack(const Raw<__nv_bfloat16>& raw, float (&out)[kPack]) {
    const __nv_bfloat162* pairs = reinterpret_cast<const __nv_bfloat162*>(&raw.bits);
#pragma unroll
    for (int i = 0; i < kPack / 2; ++i) {
        const float2 both = __bfloat1622float2(pairs[i]);
        out[2 * i] = both.x, out[2 * i + 1] = both.y;
    }
}
__device__ inline void unpack(const Raw<__half>& raw, float (&out)[kPack]) {
    const __half2* pairs = reinterpret_cast<const __half2*>(&raw.bits);
#pragma unroll
    for (int i = 0; i < kPack / 2; ++i) {
        const float2 both = __half22float2(pairs[i]);
        out[2 * i] = both.x, out[2 * i + 1] = both.y;
    }
}
template <class T>
__device__ inline void load(const T* p, float (&out)[kPack]) {
    unpack(loadRaw(p), out);
}
__device__ inline void store(float* p, const float (&in)[kPack]) {
    reinterpret_cast<float4*>(p)[0] = make_float4(in[0], in[1], in[2], in[3]);
    reinterpret_cast<float4*>(p)[1] = make_float4(in[4], in[5], in[6], in[7]);
}
__device__ inline void store(__nv_bfloat16* p, const float (&in)[kPack]) {
    uint4 raw;
    __nv_bfloat162* pairs = reinterpret_cast<__nv_bfloat162*>(&raw);
#pragma unroll
    for (int i = 0; i < kPack / 2; ++i)
        pairs[i] = __floats2bfloat162_rn(in[2 * i], in[2 * i + 1]);
    *reinterpret_cast<uint4*>(p) = raw;
}
__device__ inline void store(__half* p, const float (&in)[kPack]) {
    uint4 raw;
    __half2* pairs = reinterpret_cast<__half2*>(&raw);
#pragma unroll
    for (int i = 0; i < kPack / 2; ++i)
        pairs[i] = __floats2half2_rn(in[2 * i], in[2 * i + 1]);
    *reinterpret_cast<uint4*>(p) = raw;
}
__device__ inline void storeRaw(float* p, const Raw<float>& raw) {
    reinterpret_cast<float4*>(p)[0] = raw.low;
    reinterpret_cast<float4*>(p)[1] = raw.high;
}
__device__ inline void storeRaw(__nv_bfloat16* p, const Raw<__nv_bfloat16>& raw) {
    *reinterpret_cast<uint4*>(p) = raw.bits;
}
__device__ inline void storeRaw(__half* p, const Raw<__half>& raw) {
    *reinterpret_cast<uint4*>(p) = raw.bits;
}
__device__ inline float toFloat(float x) {
    return x;
}
__device__ inline float toFloat(__nv_bfloat16 x) {
    return __bfloat162float(x);
}
__device__ inline float toFloat(__half x) {
    return __half2float(x);
}
__device__ inline void assign(float& to, float x) {
    to = x;
}
__device__ inline void assign(__nv_bfloat16& to, float x) {
    to = __float2bfloat16_rn(x);
}
__device__ inline void assign(__half& to, float x) {
    to = __float2half_rn(x);
}

// Sums in a fixed order, so results repeat from run to run.
__device__ inline float warpSum(float x) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_xor_sync(0xFFFFFFFFu, x, offset);
    return x;
}
__device__ inline float warpMax(float x) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFu, x, offset));
    return x;
}

inline Status launched() {
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? Status{} : Status{cudaGetErrorString(error)};
}

// Multiprocessors of the current device, asked once a device.
int multiprocessors();

inline bool aligned16(const void* p) {
    return reinterpret_cast<uintptr_t>(p) % 16 == 0;
}

// Calls f with a null pointer of the storage type, so a launcher is written once for all types.
template <class F>
Status withType(DType type, F&& f) {
    switch (type) {
        case DType::float32:
            return f(static_cast<float*>(nullptr));
        case DType::bfloat16:
            return f(static_cast<__nv_bfloat16*>(nullptr));
        case DType::float16:
            return f(static_cast<__half*>(nullptr));
    }
    return {"unknown storage type"};
}

}  // namespace unmask::kernels
