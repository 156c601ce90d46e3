// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics/gpu_health.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

TEST(GpuHealth, ReadsWhatTheDriverKnowsAndLeavesOutTheRest) {
    const GpuHealth gpus(FAKE_NVML);
    ASSERT_EQ(gpus.count(), 2);
    std::map<std::string, double> values;
    gpus.read(values);
    const std::map<std::string, double> expected{{"device/0/temperature", 61},    {"device/0/memory_used", 3000},
                                                 {"device/0/memory_total", 8000}, {"device/0/utilization", 0.75},
                                                 {"device/0/power", 250.5},       {"device/1/temperature", 40},
                                                 {"device/1/utilization", 0.75}};
    EXPECT_EQ(values, expected);
}

TEST(GpuHealth, NoDriverMeansNoDevicesAndNoInventedZeros) {
    const GpuHealth gpus("/nonexistent/libnvidia-ml.so");
    std::map<std::string, double> values;
    gpus.read(values);
    EXPECT_EQ(gpus.count(), 0);
    EXPECT_TRUE(values.empty());
}

}  // namespace
}  // namespace unmask
