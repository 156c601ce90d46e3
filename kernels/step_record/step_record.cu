// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/device.cuh"
#include "kernels/step_record/step_record.h"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 1024;
constexpr int kAhead = 8;  // rows of a thread on their way at once: one block alone has to cover the latency

__device__ double blockSum(double x, double* parts) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_xor_sync(0xFFFFFFFFu, x, offset);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = x;
    __syncthreads();
    double total = 0;
    for (int w = 0; w < kThreads / 32; ++w)
        total += parts[w];
    return total;
}

__global__ void __launch_bounds__(kThreads) lossKernel(StepLossArgs a) {
    __shared__ double parts[kThreads / 32];
    double loss = 0, crossEntropy = 0;
    for (int64_t start = threadIdx.x; start < a.rows; start += int64_t{kThreads} * kAhead) {
        double weights[kAhead], losses[kAhead];
#pragma unroll
        for (int j = 0; j < kAhead; ++j) {
            const int64_t row = start + int64_t{j} * kThreads;
            weights[j] = row < a.rows ? a.weights[row] : 0;
            losses[j] = row < a.rows ? a.rowLosses[row] : 0;
        }
#pragma unroll
        for (int j = 0; j < kAhead; ++j)
            if (weights[j] != 0) {
                loss += weights[j] * losses[j];
                crossEntropy += losses[j];
            }
    }
    loss = blockSum(loss, parts);
    crossEntropy = blockSum(crossEntropy, parts);
    if (threadIdx.x == 0) {
        a.sums[0] += loss;
        a.sums[1] += crossEntropy;
    }
}

__global__ void closeKernel(CloseStepArgs a) {
    a.ring[*a.counter % a.entries] = {a.sums[0], a.sums[1], a.scalars->norm, a.scalars->finite,
                                      a.scalars->gradientScale};
    ++*a.counter;
    a.sums[0] = a.sums[1] = 0;
}

}  // namespace

Status addStepLosses(const StepLossArgs& a, Stream stream) {
    if (a.rows < 0)
        return {"step record: a negative number of rows"};
    if (a.rows == 0)
        return {};
    lossKernel<<<1, kThreads, 0, stream>>>(a);
    return launched();
}

Status closeStep(const CloseStepArgs& a, Stream stream) {
    if (a.entries <= 0)
        return {"step record: the ring has no entry"};
    closeKernel<<<1, 1, 0, stream>>>(a);
    return launched();
}

}  // namespace unmask::kernels
