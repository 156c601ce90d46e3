// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/launch.h"

#include <ATen/ops/zeros.h>
#include <cuda_runtime_api.h>

#include "engine/base/error.h"
#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuLaunch : public GpuTest {};

TEST_F(GpuLaunch, ARefusalOfAKernelBecomesAnError) {
    EXPECT_NO_THROW(cuda::check({}));
    try {
        cuda::check({"residual_norm: too wide"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::internal);
        EXPECT_NE(std::string(error.what()).find("too wide"), std::string::npos);
    }
}

TEST_F(GpuLaunch, TypesThatNoKernelHasAreRefused) {
    EXPECT_EQ(cuda::dtypeOf(at::zeros({1}, at::kFloat)), kernels::DType::float32);
    EXPECT_EQ(cuda::dtypeOf(at::zeros({1}, at::kBFloat16)), kernels::DType::bfloat16);
    EXPECT_EQ(cuda::dtypeOf(at::zeros({1}, at::kHalf)), kernels::DType::float16);
    EXPECT_THROW(cuda::dtypeOf(at::zeros({1}, at::kDouble)), Error);
    EXPECT_EQ(cuda::pointer(at::Tensor{}), nullptr);
}

TEST_F(GpuLaunch, ScratchGrowsButNotWhileAGraphIsCaptured) {
    void* const first = cuda::scratch(1 << 20);
    EXPECT_NE(first, nullptr);
    EXPECT_EQ(cuda::scratch(64), first);
    const size_t held = cuda::scratchBytes();
    EXPECT_THROW(GpuGraph([&] { cuda::scratch(2 * held); }), Error);
    EXPECT_EQ(cuda::scratchBytes(), held);
    EXPECT_NO_THROW(GpuGraph([&] { cuda::scratch(held); }));
    EXPECT_NE(cuda::scratch(2 * held), nullptr);
    EXPECT_EQ(cuda::scratchBytes(), 2 * held);
}

TEST_F(GpuLaunch, WhatAGraphHasCapturedIsNotFreedWhenScratchGrows) {
    void* const captured = cuda::scratch(1 << 20);
    const GpuGraph graph([&] { cuda::scratch(64); });
    ASSERT_NE(cuda::scratch(2 * cuda::scratchBytes()), captured);
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, captured), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
}

}  // namespace
}  // namespace unmask::gpu
