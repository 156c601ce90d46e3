// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/launch.h"

#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <string>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace unmask::cuda {

namespace {

// One block for the process, which trains on one GPU. Freed with the context, when the process ends.
struct ScratchBlock {
    void* memory = nullptr;
    size_t bytes = 0;
    bool inGraph = false;  // a captured graph goes on using it, so it is kept when a larger one takes its place
};
ScratchBlock block;

}  // namespace

kernels::Stream currentStream() {
    return c10::cuda::getCurrentCUDAStream().stream();
}

bool capturing() {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(currentStream(), &status);
    return status != cudaStreamCaptureStatusNone;
}

kernels::DType dtypeOf(const at::Tensor& tensor) {
    switch (tensor.scalar_type()) {
        case at::kFloat:
            return kernels::DType::float32;
        case at::kBFloat16:
            return kernels::DType::bfloat16;
        case at::kHalf:
            return kernels::DType::float16;
        default:
            throw Error{ErrorCode::internal,
                        std::string("[gpu] no kernel computes with ") + at::toString(tensor.scalar_type())};
    }
}

void check(kernels::Status status) {
    if (!status.ok())
        throw Error{ErrorCode::internal, std::string("[gpu] ") + status.message};
}

void* scratch(size_t bytes) {
    if (bytes <= block.bytes) {
        block.inGraph = block.inGraph || capturing();
        return block.memory;
    }
    if (capturing())
        throw Error{ErrorCode::internal, "[gpu] scratch memory would have to grow while a graph is captured"};
    cudaStreamSynchronize(currentStream());
    if (!block.inGraph)
        cudaFree(block.memory);
    block = {};
    if (cudaMalloc(&block.memory, bytes) != cudaSuccess) {
        cudaGetLastError();
        block.memory = nullptr;
        throw Error{ErrorCode::gpuOutOfMemory, "[gpu] cannot get " + formatBytes(static_cast<double>(bytes)) +
                                                   " of scratch memory; a smaller micro-batch needs less"};
    }
    block.bytes = bytes;
    return block.memory;
}

size_t scratchBytes() {
    return block.bytes;
}

}  // namespace unmask::cuda
