// SPDX-License-Identifier: Apache-2.0
// Which layouts are recommended: small models by data parallel alone, large ones by several kinds together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/planner/layout_plan.h"
#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

using testing::HasSubstr;

MachineSet gpus(std::string_view name, int64_t nodes, int64_t each) {
    return machinesOf(*knownDevice(name, 0), nodes, each);
}

RunSpec modelOf(int64_t layers, int64_t width, int64_t feedForward, int64_t rows) {
    RunSpec spec = largeSpec();
    spec.model = shape(layers, width, feedForward);
    spec.model.sequenceLength = 4096;
    spec.training.batchSize = rows;
    spec.parallel = {};
    return spec;
}

std::string reasonsOf(const LayoutChoice& choice) {
    std::string all;
    for (const Sentence& reason : choice.reasons) {
        EXPECT_FALSE(reason.en.empty() || reason.zh.empty());
        all += reason.en + "\n";
    }
    return all;
}

TEST(LayoutChoice, SmallModelsTakeDataParallelOnAllDevices) {
    const std::vector<LayoutChoice> choices = recommendLayouts(largeSpec(), gpus("H200", 1, 8));
    ASSERT_GE(choices.size(), 2U);
    const LayoutPlan& best = choices.front().plan;
    EXPECT_EQ(best.parallel.dataParallelSize, 8) << layoutWords(best.parallel).en;
    EXPECT_EQ(best.parallel.tensorParallelSize, 1);
    EXPECT_EQ(best.parallel.pipelineStages, 1);
    EXPECT_TRUE(best.fits.value());
    EXPECT_TRUE(best.projection);
    EXPECT_THAT(reasonsOf(choices.front()), HasSubstr("every device holds a whole copy"));
    for (size_t i = 1; i < choices.size(); ++i)
        EXPECT_GE(choices[i].plan.time->total(), 0.97 * best.time->total());
}

TEST(LayoutChoice, LargeModelsTakeSeveralKinds) {
    // 65 billion parameters: more than a terabyte of state.
    const RunSpec spec = modelOf(80, 8192, 22016, 512);
    const std::vector<LayoutChoice> choices = recommendLayouts(spec, gpus("H100", 16, 8));
    ASSERT_FALSE(choices.empty());
    const LayoutPlan& best = choices.front().plan;
    EXPECT_TRUE(best.fits.value_or(false)) << layoutWords(best.parallel).en;
    EXPECT_EQ(best.worldSize, 128);
    const int kinds = (best.parallel.dataParallelSize > 1) + (best.parallel.tensorParallelSize > 1) +
                      (best.parallel.pipelineStages > 1);
    EXPECT_TRUE(kinds >= 2 || best.parallel.zeroStage == 3) << layoutWords(best.parallel).en;
    EXPECT_THAT(reasonsOf(choices.front()), HasSubstr("devices must share them"));
    EXPECT_LE(best.parallel.tensorParallelSize, 8) << "never beyond a node";
}

TEST(LayoutChoice, WhereTheNetworkIsSlowStagesStandBetweenNodes) {
    RunSpec spec = modelOf(48, 8192, 22016, 256);
    MachineSet machines = gpus("A100", 8, 8);
    machines.setNetwork(1.25e9);
    const std::vector<LayoutChoice> choices = recommendLayouts(spec, machines);
    ASSERT_FALSE(choices.empty());
    const LayoutPlan& best = choices.front().plan;
    EXPECT_GT(best.parallel.pipelineStages, 1) << layoutWords(best.parallel).en;
    EXPECT_THAT(reasonsOf(choices.front()), HasSubstr("stages"));
}

TEST(LayoutChoice, WhereNothingFitsTheSmallestIsShownWithThat) {
    const std::vector<LayoutChoice> choices = recommendLayouts(modelOf(80, 8192, 22016, 64), gpus("RTX 4090", 1, 2));
    ASSERT_EQ(choices.size(), 1U);
    EXPECT_FALSE(choices.front().plan.fits.value());
    EXPECT_THAT(reasonsOf(choices.front()), HasSubstr("No layout fits"));
}

TEST(LayoutChoice, OnTheCpuOfThisComputerItIsOneThatRuns) {
    const std::vector<LayoutChoice> choices = recommendLayouts(smallSpec(), coresOf(twoCores()), 3, Reach::runsToday);
    ASSERT_FALSE(choices.empty());
    for (const LayoutChoice& choice : choices)
        EXPECT_TRUE(choice.plan.runsToday()) << layoutWords(choice.plan.parallel).en;
    EXPECT_EQ(choices.front().plan.worldSize, 1) << "two ranks would share the same cores and talk besides";
}

TEST(LayoutChoice, ExpertsAreDealtAmongCopies) {
    RunSpec spec = modelOf(24, 2048, 5632, 256);
    spec.model.experts = 64;
    spec.model.expertWidth = 1408;
    spec.model.expertsPerToken = 6;
    const std::vector<LayoutChoice> choices = recommendLayouts(spec, gpus("H100", 2, 8));
    ASSERT_FALSE(choices.empty());
    EXPECT_TRUE(choices.front().plan.fits.value());
    EXPECT_TRUE(std::any_of(choices.begin(), choices.end(),
                            [](const LayoutChoice& choice) { return choice.plan.parallel.expertParallelSize > 1; }));
}

TEST(LayoutChoice, DevicesOfUnknownSpeedAreStillOrdered) {
    MachineSet machines = gpus("H200", 1, 4);
    machines.flopsPerSecond.reset();
    const std::vector<LayoutChoice> choices = recommendLayouts(largeSpec(), machines);
    ASSERT_FALSE(choices.empty());
    EXPECT_FALSE(choices.front().plan.time.has_value()) << "but not timed";
}

}  // namespace
}  // namespace unmask
