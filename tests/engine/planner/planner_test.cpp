// SPDX-License-Identifier: Apache-2.0
// Counts against the published sizes of the presets, memory and verdicts against hand-computed figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/planner/plan.h"
#include "engine/planner/step_time.h"

namespace unmask {
namespace {

ModelConfig shape(int64_t layers, int64_t width, int64_t feedForward) {
    ModelConfig model;
    model.layers = layers;
    model.width = width;
    model.heads = width / 64;
    model.feedForwardWidth = feedForward;
    model.vocabularySize = 50304;
    return model;
}

RunSpec smallSpec() {
    RunSpec spec;
    spec.model.layers = 4;
    spec.model.width = 128;
    spec.model.heads = 4;
    spec.model.feedForwardWidth = 320;
    spec.model.sequenceLength = 64;
    spec.training.batchSize = 32;
    spec.training.steps = 900;
    return spec;
}

Hardware twoCores() {
    Hardware hardware;
    hardware.cores = 2;
    hardware.memoryBytes = 8e9;
    hardware.availableMemoryBytes = 6e9;
    return hardware;
}

TEST(ModelShape, PresetsHaveTheirPublishedSizes) {
    EXPECT_EQ(countParameters(shape(6, 512, 1408)).total, 70'785'536);
    EXPECT_EQ(countParameters(shape(12, 768, 2048)).total, 162'220'800);
    EXPECT_EQ(countParameters(shape(24, 1024, 2816)).total, 411'354'112);
}

TEST(ModelShape, PartsSumToTheTotal) {
    ModelConfig model = shape(3, 96, 100);
    model.heads = 6;
    model.keyValueHeads = 2;
    model.norm = NormKind::layerNorm;
    model.biases = true;
    model.qkNorm = true;
    const ParameterCounts counts = countParameters(model);
    EXPECT_EQ(counts.embedding + counts.attention + counts.feedForward + counts.norms + counts.head, counts.total);
    EXPECT_EQ(counts.attention, 3 * (2 * 96 * 96 + 2 * 32 * 96 + 96 + 32 + 32 + 96));
    EXPECT_EQ(counts.feedForward, 3 * (3 * 96 * 100 + 100 + 100 + 96));
    EXPECT_EQ(counts.norms, 3 * (2 * 2 * 96 + 2 * 16) + 2 * 96);
    model.tiedHead = true;
    EXPECT_EQ(countParameters(model).head, 0);
}

TEST(ModelShape, SlabsHoldMatricesFirstAndJoinNeighbours) {
    ModelConfig model = shape(1, 36, 10);
    model.heads = 3;
    model.biases = true;
    model.qkNorm = true;
    std::set<std::string> names;
    for (const SlabShape& slab : slabShapes(model)) {
        int64_t end = 0;
        for (const ParameterShape& parameter : slab.parameters) {
            EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
            EXPECT_GE(parameter.offset, end);
            EXPECT_EQ(parameter.isMatrix(), parameter.offset < slab.matrixElements) << parameter.name;
            const bool joined = parameter.name.find("key.") != std::string::npos ||
                                parameter.name.find("value.") != std::string::npos ||
                                parameter.name.find("up.") != std::string::npos;
            if (joined)
                EXPECT_EQ(parameter.offset, end) << parameter.name;
            else
                EXPECT_EQ(parameter.offset % kSlabAlignment, 0) << parameter.name;
            end = parameter.offset + parameter.elements();
        }
        EXPECT_LE(end, slab.elements);
    }
}

TEST(ModelShape, VocabularyComesFromTheTokenizerAndIsRounded) {
    RunSpec spec = smallSpec();
    EXPECT_EQ(resolvedModel(spec).vocabularySize, 384);
    spec.model.vocabularySize = 50258;
    EXPECT_EQ(resolvedModel(spec).vocabularySize, 50304);
}

TEST(ModelShape, FlopsCountTheHeadAndBidirectionalAttention) {
    const ModelConfig model = shape(6, 512, 1408);
    const double matrices = 6.0 * (4 * 512 * 512 + 3 * 512 * 1408) + 50304.0 * 512;
    EXPECT_DOUBLE_EQ(modelFlopsPerToken(model), 6 * matrices + 12.0 * 6 * 512 * 1024);
}

TEST(LayerMemory, PoliciesOrderByWhatTheyKeep) {
    const ModelConfig model = shape(6, 512, 1408);
    const StepShape step{.rows = 4, .length = 256, .threads = 2};
    const int64_t keep = stepMemory(model, step, BlockPolicy::keep).activations;
    const int64_t cheap = stepMemory(model, step, BlockPolicy::recomputeCheap).activations;
    const int64_t full = stepMemory(model, step, BlockPolicy::recompute).activations;
    EXPECT_LT(cheap, keep);
    EXPECT_LT(full, cheap);
    // Norm outputs 2 × C and the product F are no longer kept by the five other blocks.
    EXPECT_EQ(keep - cheap, 5 * 1024 * (2 * 512 + 1408) * 4);
}

TEST(LayerMemory, KeptActivationsFollowTheFormula) {
    const ModelConfig model = shape(6, 512, 1408);
    const StepShape step{.rows = 4, .length = 256, .threads = 2};
    // Bytes a token and block: 8 C + 3 F values, log-sum-exp a head, two norm factors; the last block also gathers
    // scored rows.
    const int64_t block = 4 * (8 * 512 + 3 * 1408 + 8 + 2);
    EXPECT_EQ(stepMemory(model, step, BlockPolicy::keep).activations, 1024 * (6 * block + 4 * 512));
}

TEST(LayerMemory, LogitsAreChunkedForLargeVocabularies) {
    ModelConfig model = shape(1, 64, 64);
    model.vocabularySize = 126464;
    const StepShape step{.rows = 8, .length = 1024};
    EXPECT_LE(logitChunkRows(model, step), 66);
    EXPECT_LE(stepMemory(model, step, BlockPolicy::keep).logits, 34 << 20);
}

TEST(Plan, SmallRunFitsAndIsTimed) {
    const Plan plan = planRun(smallSpec(), twoCores());
    EXPECT_EQ(plan.parameters.total, countParameters(resolvedModel(smallSpec())).total);
    EXPECT_EQ(plan.tokensPerStep, 2048);
    EXPECT_TRUE(plan.verdict.fits.value());
    EXPECT_TRUE(plan.problems.empty());
    ASSERT_TRUE(plan.secondsPerStep.has_value());
    EXPECT_DOUBLE_EQ(plan.totalSeconds.value(), 900 * plan.secondsPerStep.value());
    EXPECT_THAT(plan.verdict.en, testing::HasSubstr("are free"));
}

TEST(Plan, WhatDoesNotFitIsSaidWithAWayOut) {
    RunSpec spec = smallSpec();
    spec.training.batchSize = 4096;
    const Plan plan = planRun(spec, twoCores());
    EXPECT_FALSE(plan.verdict.fits.value());
    ASSERT_EQ(plan.problems.size(), 1u);
    EXPECT_EQ(plan.problems[0].severity, Severity::error);
    EXPECT_THAT(plan.problems[0].en, testing::HasSubstr("Try micro-batch"));
}

TEST(Plan, UnknownMemoryIsUnknownAndNotZero) {
    const Plan plan = planRun(smallSpec(), Hardware{});
    EXPECT_FALSE(plan.verdict.fits.has_value());
    EXPECT_FALSE(plan.secondsPerStep.has_value());
    EXPECT_TRUE(planToJson(plan)["seconds_per_step"].is_null());
    EXPECT_TRUE(planToJson(plan)["memory"]["fits"].is_null());
}

TEST(Plan, HalfFilledFormsAndAbsurdSizesDoNotCrash) {
    RunSpec spec = smallSpec();
    spec.model.heads = 0;
    EXPECT_EQ(planRun(spec, twoCores()).parameters.total, 0);
    spec = smallSpec();
    spec.model.heads = 5;
    EXPECT_EQ(planRun(spec, twoCores()).parameters.total, 0);
    spec = smallSpec();
    spec.training.batchSize = 10'000'000;
    spec.model.sequenceLength = 1'048'576;
    spec.model.feedForwardWidth = 262'144;
    EXPECT_TRUE(hasErrors(planRun(spec, twoCores()).problems));
}

TEST(Layout, RefusalsNameTheField) {
    RunSpec spec = smallSpec();
    spec.parallel.tensorParallelSize = 3;
    spec.parallel.microBatchSize = 5;
    spec.training.precision = Precision::bf16;
    std::set<std::string> paths;
    for (const Problem& problem : layoutProblems(spec)) {
        EXPECT_FALSE(problem.en.empty());
        EXPECT_FALSE(problem.zh.empty());
        paths.insert(problem.path);
    }
    EXPECT_THAT(paths, testing::UnorderedElementsAre("parallel.tensor_parallel_size", "parallel.micro_batch_size",
                                                     "parallel", "training.precision"));
}

TEST(Hardware, DescriptionMakesARoundTrip) {
    Hardware hardware = twoCores();
    hardware.processor = "Test CPU";
    hardware.gpus.push_back({"GPU A", 24e9, std::nullopt});
    EXPECT_EQ(hardwareFromJson(hardwareToJson(hardware)).value(), hardware);
    EXPECT_EQ(hardwareFromJson(hardwareToJson(Hardware{})).value(), Hardware{});
    EXPECT_FALSE(hardwareFromJson(Json::parse(R"({"cores":"two"})")).ok());
    EXPECT_FALSE(hardwareFromJson(Json::parse("[]")).ok());
}

TEST(Hardware, ThisMachineIsDescribed) {
    const Hardware hardware = detectHardware();
    ASSERT_TRUE(hardware.cores.has_value());
    EXPECT_GE(*hardware.cores, 1);
    ASSERT_TRUE(hardware.memoryBytes.has_value());
    EXPECT_GT(*hardware.memoryBytes, 1e8);
    EXPECT_LE(hardware.availableMemoryBytes.value(), *hardware.memoryBytes);
}

}  // namespace
}  // namespace unmask
