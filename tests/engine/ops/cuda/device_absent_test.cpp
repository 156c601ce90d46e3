// SPDX-License-Identifier: Apache-2.0
// The device as a build without a GPU half has it: it says so, waiting for it costs nothing, and the rest refuses.
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/base/error.h"
#include "engine/ops/device.h"

namespace unmask {
namespace {

TEST(AbsentDevice, SaysWhyInOneSentence) {
    EXPECT_NE(gpuProblem().find("CPU only"), std::string::npos) << gpuProblem();
    EXPECT_NO_THROW(waitForGpu());
}

TEST(AbsentDevice, RefusesWithItsReason) {
    const at::Tensor bytes = at::zeros({4}, at::TensorOptions().dtype(at::kByte));
    GpuEvent event;
    const std::function<void()> calls[] = {[] { gpuInfo(); },
                                           [] { openGpu(); },
                                           [] { pinnedBytes(8); },
                                           [&] { copyAsync(bytes, bytes); },
                                           [&] { event.record(); },
                                           [&] { static_cast<void>(event.secondsSince(event)); },
                                           [] { GpuGraph graph([] {}); }};
    for (const auto& call : calls)
        try {
            call();
            ADD_FAILURE() << "it went through";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::badInput);
            EXPECT_NE(std::string(error.what()).find(gpuProblem()), std::string::npos) << error.what();
        }
    EXPECT_TRUE(event.reached());
    EXPECT_NO_THROW(event.wait());
}

}  // namespace
}  // namespace unmask
