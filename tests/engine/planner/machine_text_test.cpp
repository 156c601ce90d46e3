// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/machine_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

using testing::HasSubstr;

MachinesRead read(std::string_view text) {
    return readMachines(text, smallSpec(), twoCores());
}
std::string understood(std::string_view text) {
    const MachinesRead result = read(text);
    return result.machines ? result.machines->describe().en : "? " + result.problem.en;
}

TEST(MachineText, IsUnderstoodInTheWaysPeopleWriteIt) {
    for (const char* text :
         {"8 x A100 80GB on 2 nodes", "8 × A100 80 GB on 2 nodes", "8xA100-80GB on 2 nodes", "2 nodes of 4 A100",
          "2 x 4 A100", "4 NVIDIA A100 per node, 2 nodes", "2 个节点，每个 4 块 A100", "A100 x 4 each on 2 machines",
          "8*a100 on 2 servers", "4 A100 SXM4 80 GB on each of 2 nodes"})
        EXPECT_EQ(understood(text), "2 nodes of 4 × A100 80 GB") << text;
    EXPECT_EQ(understood("2 nodes of 8 H100"), "2 nodes of 8 × H100 80 GB");
    EXPECT_EQ(understood("H200"), "1 × H200 141 GB");
    EXPECT_EQ(understood("4x4090"), "4 × RTX 4090 24 GB");
    EXPECT_EQ(understood("4 RTX4090"), "4 × RTX 4090 24 GB");
    EXPECT_EQ(understood("2 geforce rtx 5090"), "2 × RTX 5090 32 GB");
    EXPECT_EQ(understood("16 h100 pcie on 4 nodes"), "4 nodes of 4 × H100 PCIe 80 GB");
    EXPECT_EQ(understood("a100 40gb"), "1 × A100 40 GB");
    EXPECT_EQ(understood("2 nodes of 16 cores, 64 GB"), "2 nodes of 16 CPU cores");
}

TEST(MachineText, ThisComputerIsFoundAndOthersAreDescribed) {
    EXPECT_TRUE(read("cpu").machines->found);
    EXPECT_EQ(understood("cpu"), "2 CPU cores");
    EXPECT_TRUE(read("here").machines->found);
    EXPECT_TRUE(read("this machine").machines->found);
    EXPECT_TRUE(read("本机").machines->found);
    EXPECT_FALSE(read("8 cpu").machines->found);
    EXPECT_FALSE(read("H200").machines->found);
    EXPECT_DOUBLE_EQ(read("4 cores 64 GB").machines->memoryBytes, 64.0 * (1 << 30));
    EXPECT_DOUBLE_EQ(read("cpu").machines->memoryBytes, 6e9) << "what is free here";
}

TEST(MachineText, NetworksMayBeNamedInBitsAndBytes) {
    const auto between = [](std::string_view text) { return read(text).machines->between.bytesPerSecond; };
    EXPECT_DOUBLE_EQ(between("16 H100 on 2 nodes over 400 Gb/s"), 0.8 * 50e9);
    EXPECT_DOUBLE_EQ(between("16 H100 on 2 nodes over 100Gbit/s"), 0.8 * 12.5e9);
    EXPECT_DOUBLE_EQ(between("16 H100 on 2 nodes over 25 GB/s"), 0.8 * 25e9);
}

TEST(MachineText, WhatIsWrongIsSaidWithTheNearestName) {
    const auto problem = [](std::string_view text) {
        const MachinesRead result = read(text);
        EXPECT_FALSE(result.machines.has_value()) << text;
        EXPECT_FALSE(result.problem.zh.empty()) << text;
        return result.problem.en;
    };
    EXPECT_EQ(problem("8 x A10O"), "machines \"8 x A10O\": \"A10O\" is not understood; did you mean A100?");
    EXPECT_THAT(problem("4 RTX4O90"), HasSubstr("did you mean RTX 4090?"));
    EXPECT_THAT(problem("8 pineapples"), HasSubstr("known devices are B200, H200, H100"));
    EXPECT_THAT(problem(""), HasSubstr("nothing is described"));
    EXPECT_THAT(problem("8 on 2 nodes"), HasSubstr("no device is named"));
    EXPECT_THAT(problem("9 H100 on 2 nodes"), HasSubstr("9 devices cannot be shared evenly by 2 nodes"));
    EXPECT_THAT(problem("A100 60 GB"), HasSubstr("there is no A100 with 60 GB; it comes with 80, 40 GB"));
    EXPECT_THAT(problem("4 H100 and 4 A100"), HasSubstr("one kind"));
    EXPECT_THAT(problem("4 H100 and 4 cpu"), HasSubstr("one kind"));
    EXPECT_THAT(problem("0 x H100"), HasSubstr("0 is no count"));
    EXPECT_THAT(problem("1.5 x H100"), HasSubstr("1.5 is no count"));
    EXPECT_THAT(problem("1000000 nodes of 1000000 H100"), HasSubstr("cannot be planned for"));
    EXPECT_THAT(problem("2 x 2 x 2 H100"), HasSubstr("more counts"));
    EXPECT_THAT(problem("9e99 H100"), HasSubstr("understood"));
    EXPECT_THAT(problem("H\x01 \xff"), HasSubstr("is not understood"));
}

}  // namespace
}  // namespace unmask
