// SPDX-License-Identifier: Apache-2.0
#include "engine/train/device_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ops/device.h"

namespace unmask {
namespace {

std::string refusal(const RunSpec& spec) {
    try {
        prepareDevice(spec);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(DeviceChoice, CpuComputesInFullPrecisionOnly) {
    RunSpec spec;
    spec.training.device = DeviceChoice::cpu;
    EXPECT_FALSE(trainsOnGpu(spec));
    EXPECT_EQ(refusal(spec), "");
    spec.training.precision = Precision::bf16;
    EXPECT_THAT(refusal(spec), testing::HasSubstr("bf16 needs a GPU"));
    spec.training.precision = Precision::fp64;
    EXPECT_EQ(modelStorage(spec, Gradients::none).type, at::kDouble);
}

TEST(DeviceChoice, WithoutAGpuTheSentenceSaysWhy) {
    if (gpuProblem().empty())
        GTEST_SKIP() << "this computer has a GPU";
    RunSpec spec;
    spec.training.device = DeviceChoice::cuda;
    EXPECT_THAT(refusal(spec), testing::AllOf(testing::HasSubstr(gpuProblem()), testing::HasSubstr("cpu or auto")));
    spec.training.device = DeviceChoice::automatic;
    EXPECT_EQ(modelStorage(spec, Gradients::allocate).device, at::kCPU);
    spec.training.precision = Precision::bf16;
    EXPECT_THAT(refusal(spec), testing::HasSubstr(gpuProblem()));
}

TEST(DeviceChoice, SumsOverMicroBatchesAreKeptInFloat) {
    if (!gpuProblem().empty())
        GTEST_SKIP() << gpuProblem();
    RunSpec spec;
    spec.training.precision = Precision::bf16;
    spec.training.batchSize = 8;
    EXPECT_EQ(modelStorage(spec, Gradients::allocate).gradientType, at::kBFloat16);
    spec.parallel.microBatchSize = 4;
    EXPECT_EQ(modelStorage(spec, Gradients::allocate).gradientType, at::kFloat);
}

}  // namespace
}  // namespace unmask
