// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/known_devices.h"

#include <gtest/gtest.h>

#include <set>

namespace unmask {
namespace {

std::string titleOf(std::string_view driverName, double memoryBytes = 0) {
    const KnownDevice* device = knownDevice(driverName, memoryBytes);
    return device ? device->title() : "";
}

TEST(KnownDevices, AreFoundByTheNameThatDriversGive) {
    EXPECT_EQ(titleOf("NVIDIA H200"), "H200 141 GB");
    EXPECT_EQ(titleOf("NVIDIA A100-SXM4-80GB"), "A100 80 GB");
    EXPECT_EQ(titleOf("NVIDIA A100-SXM4-40GB", 42.5e9), "A100 40 GB");
    EXPECT_EQ(titleOf("NVIDIA H100 80GB HBM3"), "H100 80 GB");
    EXPECT_EQ(titleOf("NVIDIA H100 PCIe"), "H100 PCIe 80 GB");
    EXPECT_EQ(titleOf("NVIDIA H100 NVL"), "H100 NVL 94 GB");
    EXPECT_EQ(titleOf("NVIDIA GeForce RTX 4090"), "RTX 4090 24 GB");
    EXPECT_EQ(titleOf("NVIDIA RTX 6000 Ada Generation"), "RTX 6000 Ada 48 GB");
    EXPECT_EQ(titleOf("NVIDIA L40S"), "L40S 48 GB");
}

TEST(KnownDevices, ANameThatOnlyContainsAnotherIsNotIt) {
    EXPECT_EQ(titleOf("NVIDIA RTX A4000"), "") << "an A40 is something else";
    EXPECT_EQ(titleOf("A GPU of tomorrow"), "");
    EXPECT_EQ(titleOf(""), "");
}

TEST(KnownDevices, FiguresHoldTogether) {
    std::set<std::string> titles;
    for (const KnownDevice& device : knownDevices()) {
        EXPECT_TRUE(titles.insert(device.title()).second) << device.title() << " twice";
        EXPECT_EQ(nameWords(device.family).size(), 1U) << device.family;
        // The driver keeps some back, never more than a tenth, and 2^30 is more than 10^9.
        EXPECT_NEAR(static_cast<double>(device.mebibytes) / 1024 / static_cast<double>(device.gigabytes), 1, 0.1);
        EXPECT_GT(device.flopsPerSecond, 5e13);
        EXPECT_GT(device.memoryBytesPerSecond, device.linkBytesPerSecond);
        EXPECT_GE(device.linkBytesPerSecond, device.networkBytesPerSecond);
    }
}

}  // namespace
}  // namespace unmask
