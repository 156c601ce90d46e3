// SPDX-License-Identifier: Apache-2.0
// The last step of a gradient that many blocks have summed in parts: parts are added in float and in a fixed order, and
// the gradient is rounded to its storage type once.
#pragma once

#include <type_traits>

#include "kernels/common/device.cuh"

namespace unmask::kernels {

struct Parts {
    const float* values;  // part p, column c at p * stride + c; those of `second` follow those of `first`
    int count, stride, columns;
    void* first;   // (columns), accumulated
    void* second;  // (columns), accumulated, or null
};

// 32 columns a block, 32 threads deep: each thread adds every 32nd part, then the depth is added in order.
template <class G>
__global__ void addPartsKernel(Parts p) {
    __shared__ float deep[32][33];
    G* const out = static_cast<G*>(blockIdx.y == 0 ? p.first : p.second);
    const float* const values = p.values + blockIdx.y * p.columns;
    const int column = blockIdx.x * 32 + threadIdx.x;
    float total = 0;
    if (column < p.columns)
        for (int part = threadIdx.y; part < p.count; part += 32)
            total += values[int64_t{part} * p.stride + column];
    deep[threadIdx.y][threadIdx.x] = total;
    __syncthreads();
    if (threadIdx.y == 0 && column < p.columns) {
        float all = 0;
        for (int i = 0; i < 32; ++i)
            all += deep[i][threadIdx.x];
        assign(out[column], toFloat(out[column]) + all);
    }
}

inline Status addParts(const Parts& parts, DType dtype, Stream stream) {
    const dim3 grid(static_cast<unsigned>((parts.columns + 31) / 32), parts.second != nullptr ? 2 : 1);
    return withType(dtype, [&](auto* type) {
        addPartsKernel<std::remove_pointer_t<decltype(type)>><<<grid, dim3(32, 32), 0, stream>>>(parts);
        return launched();
    });
}

}  // namespace unmask::kernels
