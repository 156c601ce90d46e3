// SPDX-License-Identifier: Apache-2.0
// The nearest legal layout: few and small changes, and the number of ranks kept where that is possible.
#include <gtest/gtest.h>

#include "engine/planner/layout_rules.h"
#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

ParallelConfig nearest(RunSpec spec, const MachineSet* machines = nullptr, Reach reach = Reach::legal) {
    const auto found = nearestLegalLayout(spec, machines, reach);
    EXPECT_TRUE(found.has_value());
    spec.parallel = found.value_or(ParallelConfig{});
    EXPECT_TRUE(isLegalLayout(spec, machines, reach));
    return spec.parallel;
}

TEST(LayoutNear, ALegalLayoutIsItsOwnNearest) {
    RunSpec spec = smallSpec();
    spec.parallel.dataParallelSize = 4;
    EXPECT_EQ(nearest(spec), spec.parallel);
}

TEST(LayoutNear, OnlyWhatIsWrongChanges) {
    RunSpec spec = smallSpec();
    spec.parallel.dataParallelSize = 4;
    spec.parallel.tensorParallelSize = 3;
    const ParallelConfig tensor = nearest(spec);
    EXPECT_EQ(tensor.dataParallelSize, 4);
    EXPECT_EQ(tensor.tensorParallelSize, 4) << "nearer to 3 than 2 is";
    spec.parallel = {};
    spec.parallel.dataParallelSize = 2;
    spec.parallel.microBatchSize = 7;
    EXPECT_EQ(nearest(spec).microBatchSize, 4) << "the largest that divides 16 and is not above 7";
}

TEST(LayoutNear, StaysWithinTheMachines) {
    RunSpec spec = smallSpec();
    spec.parallel.dataParallelSize = 16;
    spec.parallel.tensorParallelSize = 2;
    const MachineSet machines = machinesOf(*knownDevice("A100", 0), 1, 8);
    const ParallelConfig found = nearest(spec, &machines);
    EXPECT_EQ(found.worldSize(), 8);
    EXPECT_EQ(found.tensorParallelSize, 2);
}

TEST(LayoutNear, MendsWhatFollowsFromSizes) {
    RunSpec spec = smallSpec();
    spec.parallel.dataParallelSize = 2;
    spec.parallel.pipelineStages = 2;
    spec.parallel.zeroStage = 3;
    spec.parallel.schedule = PipelineSchedule::interleaved;
    spec.parallel.virtualStages = 4;
    spec.parallel.microBatchSize = 4;
    const ParallelConfig found = nearest(spec);
    EXPECT_EQ(found.worldSize(), 4);
    EXPECT_EQ(found.zeroStage, 1);
    EXPECT_EQ(found.virtualStages, 2);
}

TEST(LayoutNear, CanBeAskedForOneThatRunsToday) {
    RunSpec spec = smallSpec();
    spec.parallel.pipelineStages = 2;
    spec.parallel.microBatchSize = 4;
    const MachineSet cores = coresOf(twoCores());
    EXPECT_EQ(nearest(spec, &cores), spec.parallel);
    nearest(spec, &cores, Reach::runsToday);
}

TEST(LayoutNear, ThereMayBeNone) {
    RunSpec spec = smallSpec();
    spec.model.heads = 0;
    EXPECT_FALSE(nearestLegalLayout(spec).has_value());
}

}  // namespace
}  // namespace unmask
