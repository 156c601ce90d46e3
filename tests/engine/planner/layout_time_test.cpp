// SPDX-License-Identifier: Apache-2.0
// Time of layouts: what must hold between them. How near the figures are to runs of several processes is a benchmark
// (tests/bench/planner_layouts.py).
#include "engine/planner/layout_time.h"

#include <gtest/gtest.h>

#include "engine/planner/model_shape.h"
#include "engine/planner/pipeline_timeline.h"
#include "engine/planner/step_time.h"
#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

MachineSet gpus(int64_t nodes, int64_t each) {
    return machinesOf(*knownDevice("H200", 0), nodes, each);
}
LayoutTime timeOf(const RunSpec& spec, const MachineSet& machines) {
    return layoutTime(spec, machines).value();
}

TEST(LayoutTime, OneDeviceTakesWhatItsOwnEstimateSays) {
    RunSpec spec = smallSpec();
    const Hardware hardware = twoCores();
    const double cpu = estimateSecondsPerStep(spec, resolvedModel(spec), hardware).value();
    EXPECT_NEAR(timeOf(spec, coresOf(hardware)).total(), cpu, 0.01 * cpu);
    spec = largeSpec();
    spec.parallel.microBatchSize = 0;
    spec.training.device = DeviceChoice::cuda;
    for (const Precision precision : {Precision::bf16, Precision::fp8}) {
        spec.training.precision = precision;
        Hardware one = hardware;
        one.gpus.push_back({"NVIDIA H200", 150e9, 149e9});
        const double gpu = estimateSecondsPerStep(spec, resolvedModel(spec), one).value();
        const LayoutTime time = timeOf(spec, gpus(1, 1));
        EXPECT_NEAR(time.total(), gpu, 0.01 * gpu);
        EXPECT_EQ(time.communication, 0);
        EXPECT_EQ(time.bubble, 0);
        EXPECT_EQ(time.traffic.total(), 0);
    }
}

TEST(LayoutTime, UnknownSpeedHasNoTime) {
    MachineSet machines = gpus(1, 2);
    machines.flopsPerSecond.reset();
    EXPECT_FALSE(layoutTime(largeSpec(), machines).has_value());
}

TEST(LayoutTime, CopiesDivideTheWorkAndTalkAboutGradients) {
    RunSpec spec = largeSpec();
    const LayoutTime one = timeOf(spec, gpus(1, 8));
    spec.parallel.dataParallelSize = 8;
    const LayoutTime eight = timeOf(spec, gpus(1, 8));
    EXPECT_NEAR(eight.compute, one.compute / 8, 0.01 * one.compute);
    const double gradients = 2.0 * static_cast<double>(countParameters(resolvedModel(spec)).total);
    EXPECT_NEAR(eight.traffic.data, 2 * gradients * 7 / 8, 0.01 * gradients);
    EXPECT_GT(eight.communication, 0);
    // Inside a node nearly all of it hides behind the backward pass; over a slow network it does not.
    EXPECT_LT(eight.communication, 0.05 * eight.compute);
    spec.parallel.dataParallelSize = 16;
    spec.parallel.microBatchSize = 4;
    MachineSet slow = gpus(2, 8);
    slow.setNetwork(1.25e9);
    EXPECT_GT(timeOf(spec, slow).communication, timeOf(spec, gpus(2, 8)).communication);
}

TEST(LayoutTime, ZeroTalksMoreAndUpdatesLess) {
    RunSpec spec = largeSpec();
    spec.parallel.dataParallelSize = 4;
    spec.parallel.microBatchSize = 4;  // four a step
    const auto stage = [&](int64_t zero) {
        spec.parallel.zeroStage = zero;
        return timeOf(spec, gpus(1, 4));
    };
    EXPECT_NEAR(stage(1).update, stage(0).update / 4, 1e-9);
    EXPECT_DOUBLE_EQ(stage(1).traffic.data, stage(0).traffic.data);
    EXPECT_GT(stage(2).traffic.data, stage(1).traffic.data) << "gradients for each micro-batch";
    EXPECT_GT(stage(3).traffic.data, 2 * stage(2).traffic.data * 0.9) << "weights before each pass";
}

TEST(LayoutTime, TheBubbleIsThatOfTheTimeline) {
    RunSpec spec = largeSpec();
    spec.parallel.pipelineStages = 4;
    spec.parallel.microBatchSize = 8;
    const auto bubble = [&](PipelineSchedule schedule) {
        spec.parallel.schedule = schedule;
        return timeOf(spec, gpus(1, 4)).bubble;
    };
    EXPECT_GT(bubble(PipelineSchedule::oneForwardOneBackward), 0);
    EXPECT_LT(bubble(PipelineSchedule::zeroBubble), bubble(PipelineSchedule::oneForwardOneBackward));
    // With ever more micro-batches its share falls, and what is not simulated but repeated changes nothing.
    spec.parallel.schedule = PipelineSchedule::oneForwardOneBackward;
    double before = 1;
    for (const int64_t rows : {64, 128, 256, 2048}) {
        spec.training.batchSize = rows;
        const double share = timeOf(spec, gpus(1, 4)).bubbleShare();
        EXPECT_LT(share, before);
        before = share;
    }
    EXPECT_NEAR(before, 3.0 / 259, 0.01) << "(stages − 1) / (micro-batches + stages − 1)";
}

TEST(LayoutTime, TensorPartsWaitForEachOtherInEveryBlock) {
    RunSpec spec = largeSpec();
    const LayoutTime one = timeOf(spec, gpus(1, 2));
    spec.parallel.tensorParallelSize = 2;
    const LayoutTime two = timeOf(spec, gpus(1, 2));
    EXPECT_NEAR(two.compute, one.compute / 2, 0.05 * one.compute);
    // Two sums forward and two backward a block, of the whole stream, and one for embedding and head.
    const double stream = 64.0 * 1024 * 1024 * 2;
    EXPECT_NEAR(two.traffic.tensor, (24 * 4 + 1) * 2 * 0.5 * stream, 0.02 * 97 * stream);
    EXPECT_GT(timeOf(spec, gpus(2, 1)).communication, 3 * two.communication) << "between nodes";
}

TEST(LayoutTime, ExpertsAndRowsTalk) {
    RunSpec spec = largeSpec();
    spec.model.experts = 8;
    spec.parallel.dataParallelSize = 4;
    const LayoutTime whole = timeOf(spec, gpus(1, 4));
    EXPECT_EQ(whole.traffic.expert, 0);
    spec.parallel.expertParallelSize = 4;
    EXPECT_GT(timeOf(spec, gpus(1, 4)).traffic.expert, 0);
    spec = largeSpec();
    spec.parallel.contextParallelSize = 2;
    EXPECT_GT(timeOf(spec, gpus(1, 2)).traffic.context, 0);
}

TEST(LayoutTime, RanksOfACpuShareItsCores) {
    RunSpec spec = smallSpec();
    const MachineSet cores = coresOf(twoCores());
    const LayoutTime one = timeOf(spec, cores);
    spec.parallel.dataParallelSize = 2;
    const LayoutTime two = timeOf(spec, cores);
    EXPECT_NEAR(two.compute, one.compute, 0.01 * one.compute) << "the same cores do the same work";
    EXPECT_GT(two.total(), one.total());
    spec.parallel.dataParallelSize = 8;
    EXPECT_NEAR(timeOf(spec, cores).compute, one.compute, 0.01 * one.compute) << "four ranks a core";
}

}  // namespace
}  // namespace unmask
