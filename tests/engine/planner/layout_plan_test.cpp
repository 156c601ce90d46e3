// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/layout_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

using testing::HasSubstr;

MachineSet gpus(int64_t nodes, int64_t each) {
    return machinesOf(*knownDevice("H200", 0), nodes, each);
}

TEST(LayoutPlan, ALegalLayoutHasEverythingAndSaysWhatItIs) {
    RunSpec spec = largeSpec();
    spec.parallel.dataParallelSize = 2;
    spec.parallel.pipelineStages = 4;
    const LayoutPlan plan = planLayout(spec, gpus(1, 8));
    EXPECT_TRUE(plan.legal);
    EXPECT_TRUE(plan.fits.value());
    EXPECT_TRUE(plan.projection);
    EXPECT_EQ(plan.worldSize, 8);
    EXPECT_EQ(plan.microBatches, 4);
    EXPECT_EQ(plan.stages.size(), 4U);
    EXPECT_EQ(plan.mostBytes(), plan.fullest()->bytes.total());
    EXPECT_GT(plan.time->total(), 0);
    EXPECT_THAT(layoutClaim(plan, gpus(1, 8)).en, HasSubstr("projection for 8 × H200 141 GB"));
    EXPECT_THAT(layoutClaim(plan, gpus(1, 8)).zh, HasSubstr("推算"));
}

TEST(LayoutPlan, AnIllegalLayoutHasReasonsAlone) {
    RunSpec spec = largeSpec();
    spec.parallel.tensorParallelSize = 3;
    const LayoutPlan plan = planLayout(spec, gpus(1, 8));
    EXPECT_FALSE(plan.legal);
    EXPECT_FALSE(plan.runsToday());
    EXPECT_TRUE(plan.stages.empty());
    EXPECT_FALSE(plan.time.has_value());
    EXPECT_TRUE(hasErrors(plan.problems));
    EXPECT_EQ(plan.mostBytes(), 0);
}

TEST(LayoutPlan, AbsurdSizesAreRefusedInWords) {
    RunSpec spec = largeSpec();
    spec.training.batchSize = 10'000'000;
    spec.parallel.microBatchSize = 0;
    spec.model.sequenceLength = 1'048'576;
    spec.model.feedForwardWidth = 262'144;
    const LayoutPlan plan = planLayout(spec, gpus(1, 1));
    EXPECT_FALSE(plan.legal);
    EXPECT_THAT(plan.problems.back().en, HasSubstr("No machine has the memory"));
}

TEST(LayoutPlan, WhatDoesNotFitIsSaid) {
    RunSpec spec = largeSpec();
    spec.model = shape(32, 4096, 12288);
    spec.model.sequenceLength = 4096;
    const LayoutPlan plan = planLayout(spec, gpus(1, 1));
    EXPECT_TRUE(plan.legal);
    EXPECT_FALSE(plan.fits.value());
    ASSERT_FALSE(plan.problems.empty());
    EXPECT_THAT(plan.problems.back().en, HasSubstr("The fullest device needs"));
}

TEST(LayoutPlan, WhatTheEngineCannotDoYetIsNoReasonAgainstThePlan) {
    RunSpec spec = largeSpec();
    spec.parallel.dataParallelSize = 2;
    const LayoutPlan plan = planLayout(spec, gpus(1, 2));
    EXPECT_TRUE(plan.legal);
    EXPECT_EQ(plan.runsToday(), !hasErrors(plan.limits));
    RunSpec here = smallSpec();
    here.parallel.dataParallelSize = 2;
    const LayoutPlan cores = planLayout(here, coresOf(twoCores()));
    EXPECT_TRUE(cores.runsToday());
    EXPECT_FALSE(cores.projection);
    EXPECT_THAT(layoutClaim(cores, coresOf(twoCores())).en, HasSubstr("estimate for 2 CPU cores of this computer"));
}

TEST(LayoutPlan, JsonNamesEveryFigureAndThatItIsAProjection) {
    RunSpec spec = largeSpec();
    spec.parallel.dataParallelSize = 2;
    const Json json = layoutToJson(planLayout(spec, gpus(1, 2)), gpus(1, 2));
    EXPECT_EQ(json.at("parallel").at("data_parallel_size"), 2);
    EXPECT_EQ(json.at("words").at("en"), "data 2");
    EXPECT_TRUE(json.at("projection").get<bool>());
    EXPECT_GT(json.at("stages").at(0).at("memory").at("total").get<int64_t>(), 0);
    EXPECT_GT(json.at("seconds").at("total").get<double>(), 0);
    EXPECT_GT(json.at("seconds").at("traffic").at("data").get<double>(), 0);
    for (const char* key : {"legal", "fits", "runs_today", "capacity", "claim", "problems", "limits", "micro_batches"})
        EXPECT_TRUE(json.contains(key)) << key;
    const Json machines = machinesToJson(gpus(2, 8));
    EXPECT_EQ(machines.at("devices"), 16);
    EXPECT_FALSE(machines.at("found").get<bool>());
    EXPECT_TRUE(machinesToJson(coresOf({})).at("memory_bytes").is_null()) << "unknown, not 0";
}

}  // namespace
}  // namespace unmask
