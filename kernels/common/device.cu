// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/device.cuh"

#include <array>

namespace unmask::kernels {

namespace {

__global__ void nothing() {}

}  // namespace

bool canRunHere() {
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, nothing) == cudaSuccess)
        return true;
    cudaGetLastError();
    return false;
}

int multiprocessors() {
    static std::array<int, 64> known{};
    int device = 0;
    cudaGetDevice(&device);
    int& count = known[static_cast<size_t>(device) % known.size()];
    if (count == 0)
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    return count > 0 ? count : 1;
}

}  // namespace unmask::kernels
