// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/machine_set.h"

#include <gtest/gtest.h>

#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

MachineSet twoNodesOfH200() {
    return machinesOf(*knownDevice("H200", 0), 2, 8);
}

TEST(MachineSet, GroupsInsideANodeTalkFast) {
    const MachineSet machines = twoNodesOfH200();
    EXPECT_EQ(machines.devices(), 16);
    EXPECT_EQ(&machines.linkOf(1, 8), &machines.inside);
    EXPECT_EQ(&machines.linkOf(4, 2), &machines.inside);
    EXPECT_EQ(&machines.linkOf(8, 2), &machines.between);
    EXPECT_EQ(&machines.linkOf(1, 16), &machines.between);
    EXPECT_EQ(&machines.linkOf(2, 3), &machines.between) << "a group of six does not lie evenly in nodes of eight";
    EXPECT_EQ(machines.neighbours(1, 16), 8);
    EXPECT_EQ(machines.neighbours(2, 8), 4);
    EXPECT_EQ(machines.neighbours(8, 2), 1);
    EXPECT_EQ(machines.neighbours(1, 4), 4);
    EXPECT_GT(machines.inside.bytesPerSecond, 5 * machines.between.bytesPerSecond);
    EXPECT_EQ(machines.describe().en, "2 nodes of 8 × H200 141 GB");
    EXPECT_FALSE(machines.describe().zh.empty());
}

TEST(MachineSet, RanksOfACpuShareItAndThoseOfGpusDoNot) {
    const MachineSet gpus = twoNodesOfH200();
    EXPECT_EQ(gpus.memoryOfRank(16), gpus.memoryBytes);
    EXPECT_EQ(gpus.flopsOfRank(16), gpus.flopsPerSecond);

    Hardware hardware;
    hardware.cores = 8;
    hardware.availableMemoryBytes = 32e9;
    hardware.matrixFlopsPerSecond = 8e11;
    const MachineSet cores = coresOf(hardware);
    EXPECT_TRUE(cores.found);
    EXPECT_EQ(cores.describe().en, "8 CPU cores");
    EXPECT_DOUBLE_EQ(cores.memoryOfRank(4), 8e9);
    EXPECT_EQ(cores.threadsOfRank(4), 2);
    EXPECT_DOUBLE_EQ(cores.flopsOfRank(4).value(), 2e11);
    EXPECT_EQ(cores.threadsOfRank(3), 2);
    EXPECT_DOUBLE_EQ(cores.flopsOfRank(3).value(), 2e11) << "two cores stay idle";
    EXPECT_EQ(cores.threadsOfRank(16), 1);
    EXPECT_DOUBLE_EQ(cores.flopsOfRank(16).value(), 0.5e11) << "two ranks a core";
}

TEST(MachineSet, UnknownStaysUnknown) {
    EXPECT_FALSE(coresOf({}).flopsPerSecond.has_value());
    EXPECT_EQ(coresOf({}).memoryBytes, 0);
    RunSpec spec = smallSpec();
    spec.training.device = DeviceChoice::cuda;
    Hardware hardware = twoCores();
    hardware.gpus = {{"A GPU of tomorrow", 96e9, 90e9}, {"A GPU of tomorrow", 96e9, 80e9}};
    const MachineSet machines = machinesFound(spec, hardware);
    EXPECT_FALSE(machines.flopsPerSecond.has_value());
    EXPECT_EQ(machines.devices(), 2);
    EXPECT_DOUBLE_EQ(machines.memoryBytes, 80e9) << "the one with least decides";
}

TEST(MachineSet, WhatARunWouldUseIsFound) {
    RunSpec spec = smallSpec();
    Hardware hardware = twoCores();
    EXPECT_FALSE(machinesFound(spec, hardware).gpu);
    spec.training.threads = 1;
    EXPECT_EQ(machinesFound(spec, hardware).devices(), 1);
    spec.training.device = DeviceChoice::cuda;
    EXPECT_FALSE(machinesFound(spec, hardware).gpu) << "there is none";
    hardware.gpus = {{"NVIDIA H200", 150e9, 149e9}};
    const MachineSet machines = machinesFound(spec, hardware);
    EXPECT_TRUE(machines.gpu && machines.found);
    EXPECT_DOUBLE_EQ(machines.flopsPerSecond.value(), 989e12);
    EXPECT_DOUBLE_EQ(machines.memoryBytes, 149e9) << "what is free, not what was sold";
}

TEST(MachineSet, CollectivesFollowTheLinksUntilTheyAreMeasured) {
    MachineSet gpus = twoNodesOfH200();
    gpus.inside = {100e9, 1e-6};
    EXPECT_DOUBLE_EQ(gpus.seconds(Collective::gather, 8e9, 1, 8), 7 * (1e-6 + 0.01));
    EXPECT_DOUBLE_EQ(gpus.seconds(Collective::sumAndScatter, 8e9, 1, 8), 7 * (1e-6 + 0.01));
    EXPECT_DOUBLE_EQ(gpus.seconds(Collective::sum, 8e9, 1, 8), 14 * (1e-6 + 0.01)) << "both after each other";
    EXPECT_EQ(gpus.seconds(Collective::sum, 8e9, 1, 1), 0);
    gpus.between = {10e9, 1e-6};
    EXPECT_DOUBLE_EQ(gpus.seconds(Collective::gather, 8e9, 1, 16), 7 * (1e-6 + 0.01) + (1e-6 + 0.05))
        << "an eighth of it through each device's network";
    EXPECT_DOUBLE_EQ(gpus.seconds(Collective::gather, 8e9, 8, 2), 1e-6 + 0.4);
    MachineSet cores = coresOf(twoCores());
    EXPECT_DOUBLE_EQ(cores.seconds(Collective::sumAndScatter, 1e6, 1, 2), cores.seconds(Collective::sum, 1e6, 1, 2))
        << "Gloo sums everything everywhere";
    cores.measured = {{Collective::sum, 2, 3e-4, 1e-9}};
    EXPECT_DOUBLE_EQ(cores.seconds(Collective::sum, 1e6, 1, 2), 3e-4 + 1e-3);
    EXPECT_NE(cores.seconds(Collective::sum, 1e6, 1, 4), 3e-4 + 1e-3) << "other sizes were not measured";
}

TEST(MachineSet, ANetworkCanBeNamed) {
    MachineSet machines = twoNodesOfH200();
    machines.setNetwork(100e9 / 8);
    EXPECT_DOUBLE_EQ(machines.linkOf(8, 2).bytesPerSecond, 10e9) << "four fifths of it reach collectives";
}

}  // namespace
}  // namespace unmask
