// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/planner/hardware.h"
#include "engine/planner/nvml.h"

namespace unmask {
namespace {

TEST(Hardware, ThisMachineIsDescribed) {
    const Hardware hardware = detectHardware();
    ASSERT_TRUE(hardware.cores.has_value());
    EXPECT_GE(*hardware.cores, 1);
    ASSERT_TRUE(hardware.memoryBytes.has_value());
    EXPECT_GT(*hardware.memoryBytes, 1e8);
    EXPECT_LE(hardware.availableMemoryBytes.value(), *hardware.memoryBytes);
}

TEST(Hardware, NoDriverIsNoGpuAndNoFault) {
    Hardware hardware;
    describeGpus(hardware);
    if (!hardware.gpuDriver.has_value()) {
        EXPECT_TRUE(hardware.gpus.empty());
    }
    for (const GpuDescription& gpu : hardware.gpus)
        EXPECT_FALSE(gpu.name.empty());
}

}  // namespace
}  // namespace unmask
