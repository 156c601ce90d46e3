// SPDX-License-Identifier: Apache-2.0
// Memory of a run by part, and the sentence about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

TEST(Memory, WhatDoesNotFitIsSaidWithAWayOut) {
    RunSpec spec = smallSpec();
    spec.training.batchSize = 4096;
    const Plan plan = planRun(spec, twoCores());
    EXPECT_FALSE(plan.verdict.fits.value());
    ASSERT_EQ(plan.problems.size(), 1u);
    EXPECT_EQ(plan.problems[0].severity, Severity::error);
    EXPECT_THAT(plan.problems[0].en, testing::HasSubstr("Try micro-batch"));
}

TEST(Memory, UnknownMemoryIsUnknownAndNotZero) {
    const Plan plan = planRun(smallSpec(), Hardware{});
    EXPECT_FALSE(plan.verdict.fits.has_value());
    EXPECT_FALSE(plan.secondsPerStep.has_value());
    EXPECT_TRUE(planToJson(plan)["seconds_per_step"].is_null());
    EXPECT_TRUE(planToJson(plan)["memory"]["fits"].is_null());
}

TEST(Memory, StatesFollowThePrecision) {
    RunSpec spec = smallSpec();
    int64_t elements = 0;
    for (const SlabShape& slab : slabShapes(resolvedModel(spec)))
        elements += slab.elements;
    EXPECT_EQ(planMemory(spec, {.threads = 2}).weights, 4 * elements);
    EXPECT_EQ(planMemory(spec, {.threads = 2}).optimizer, 8 * elements);
    spec.training.precision = Precision::fp64;
    EXPECT_EQ(planMemory(spec, {.threads = 2}).gradients, 8 * elements);
    spec.training.precision = Precision::bf16;
    const MemoryBytes memory = planMemory(spec, {.threads = 2});
    EXPECT_EQ(memory.weights + memory.gradients + memory.optimizer, 16 * elements);
    spec.optimizer.statePrecision = StatePrecision::bf16;
    const MemoryBytes compact = planMemory(spec, {.threads = 2});
    EXPECT_EQ(compact.weights + compact.gradients + compact.optimizer, 8 * elements);
}

TEST(Memory, SmallerMicroBatchesNeedLess) {
    RunSpec spec = smallSpec();
    const int64_t whole = planMemory(spec, {.threads = 2}).activations;
    spec.parallel.microBatchSize = 8;
    EXPECT_EQ(planMemory(spec, {.threads = 2}).activations, whole / 4);
}

TEST(Memory, ProcessesOnACpuShareWhatIsFree) {
    RunSpec spec = smallSpec();
    const Hardware hardware = twoCores();
    spec.parallel.dataParallelSize = 2;
    EXPECT_EQ(planTarget(spec, hardware).threads, 1) << "and its cores";
    const MemoryVerdict verdict = memoryFits(spec, hardware);
    EXPECT_TRUE(verdict.fits.value());
    EXPECT_THAT(verdict.en, testing::HasSubstr("in 2 processes; 5.6 GiB are free"));
    EXPECT_THAT(verdict.zh, testing::HasSubstr("2 个进程"));
    Hardware small = hardware;
    const auto one = static_cast<double>(planMemory(spec, planTarget(spec, hardware)).total());
    small.availableMemoryBytes = 1.5 * one;
    EXPECT_FALSE(memoryFits(spec, small).fits.value()) << "one would fit, two do not";
}

// Peaks measured on an H200 at batch 64 × 1024 (tests/bench/results): the plan is within 3 %.
TEST(Memory, GpuPlanIsWhatTheDriverReports) {
    struct Case {
        ModelConfig model;
        Checkpointing checkpointing;
        double gibibytes;
        Precision precision = Precision::bf16;
    };
    for (const Case& c : {Case{shape(6, 512, 1408), Checkpointing::none, 9.19},
                          Case{shape(6, 512, 1408), Checkpointing::selective, 7.82},
                          Case{shape(12, 768, 2048), Checkpointing::none, 22.68},
                          Case{shape(12, 768, 2048), Checkpointing::selective, 18.04},
                          Case{shape(24, 1024, 2816), Checkpointing::none, 57.43},
                          Case{shape(24, 1024, 2816), Checkpointing::selective, 44.0},
                          Case{shape(6, 512, 1408), Checkpointing::none, 9.19, Precision::fp8},
                          Case{shape(12, 768, 2048), Checkpointing::none, 21.65, Precision::fp8},
                          Case{shape(24, 1024, 2816), Checkpointing::none, 53.21, Precision::fp8}}) {
        RunSpec spec;
        spec.model = c.model;
        spec.model.sequenceLength = 1024;
        spec.training.batchSize = 64;
        spec.training.precision = c.precision;
        spec.training.device = DeviceChoice::cuda;
        spec.parallel.activationCheckpointing = c.checkpointing;
        const double planned = static_cast<double>(planMemory(spec, {.gpu = true}).total()) / (1 << 30);
        EXPECT_NEAR(planned, c.gibibytes, 0.03 * c.gibibytes);
    }
}

}  // namespace
}  // namespace unmask
