// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/device.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>

#include <stdexcept>

#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuDevice : public GpuTest {};

at::Tensor onGpu(int64_t count) {
    return at::zeros({count}, at::TensorOptions().dtype(at::kFloat).device(at::kCUDA));
}

TEST_F(GpuDevice, TellsWhatItIs) {
    const GpuInfo info = gpuInfo();
    EXPECT_FALSE(info.name.empty());
    EXPECT_GT(info.totalBytes, int64_t{1} << 30);
    EXPECT_GT(info.freeBytes, 0);
    EXPECT_LE(info.freeBytes, info.totalBytes);
    for (const std::string& version : {info.driver, info.cuda, info.cudnn})
        EXPECT_NE(version.find('.'), std::string::npos) << version;
}

TEST_F(GpuDevice, CopiesGoOutAndComeBackInOrder) {
    const at::Tensor values = at::arange(1000, at::TensorOptions().dtype(at::kFloat));
    const at::Tensor out = pinnedBytes(4000), back = pinnedBytes(4000);
    out.copy_(values.view(at::kByte));
    const at::Tensor device = onGpu(1000);
    copyAsync(out, device);
    device.add_(1);
    copyAsync(device, back);
    waitForGpu();
    EXPECT_TRUE(back.view(at::kFloat).equal(values + 1));
}

TEST_F(GpuDevice, EventsAreReachedInTheOrderOfTheWork) {
    GpuEvent never, begin, end;
    EXPECT_TRUE(never.reached());
    never.wait();
    const at::Tensor data = onGpu(1 << 24);
    begin.record();
    for (int i = 0; i < 20; ++i)
        data.add_(1);
    end.record();
    end.wait();
    EXPECT_TRUE(begin.reached());
    EXPECT_TRUE(end.reached());
    EXPECT_GT(end.secondsSince(begin), 0);
    EXPECT_EQ(data[5].item<float>(), 20);
}

TEST_F(GpuDevice, AGraphDoesItsWorkAtEachLaunchAndNotWhenItIsCaptured) {
    const at::Tensor data = onGpu(100);
    data.add_(1);  // once before, so that nothing is loaded during the capture
    const GpuGraph graph([&] { data.add_(1); });
    waitForGpu();
    EXPECT_EQ(data[7].item<float>(), 1);
    graph.launch();
    graph.launch();
    waitForGpu();
    EXPECT_EQ(data[7].item<float>(), 3);
}

TEST_F(GpuDevice, AFailureDuringACaptureLeavesTheStreamUsable) {
    const at::Tensor data = onGpu(100);
    EXPECT_THROW(GpuGraph([&] { throw std::runtime_error("planned"); }), std::runtime_error);
    data.add_(1);
    waitForGpu();
    EXPECT_EQ(data[0].item<float>(), 1);
}

}  // namespace
}  // namespace unmask::gpu
