// SPDX-License-Identifier: Apache-2.0
// Each rule between fields names its field, and says what would be allowed.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/protocol/presets.h"
#include "engine/protocol/spec_json.h"

namespace unmask {
namespace {

const Problem* problemAt(const std::vector<Problem>& problems, std::string_view path) {
    const auto found = std::find_if(problems.begin(), problems.end(), [&](const auto& p) { return p.path == path; });
    return found == problems.end() ? nullptr : &*found;
}

bool refuses(const RunSpec& spec, std::string_view path) {
    const std::vector<Problem> problems = checkSpec(spec);
    const Problem* problem = problemAt(problems, path);
    return problem && problem->severity == Severity::error && hasErrors(problems);
}

TEST(SpecCheck, EveryPresetPasses) {
    for (const Preset& preset : allPresets())
        EXPECT_FALSE(hasErrors(checkSpec(preset.spec))) << preset.name;
}

TEST(SpecCheck, HeadsMustDivideTheWidthIntoEvenParts) {
    RunSpec spec;
    spec.model.width = 384;
    spec.model.keyValueHeads = 0;
    spec.model.heads = 6;
    EXPECT_FALSE(refuses(spec, "model.heads"));
    spec.model.heads = 7;
    EXPECT_TRUE(refuses(spec, "model.heads"));
    spec.model.heads = 128;  // three dimensions each
    EXPECT_TRUE(refuses(spec, "model.heads"));
}

TEST(SpecCheck, ExpertsMustBeThereForTheirTokensAndLayers) {
    RunSpec spec;
    spec.model.layers = 4;
    spec.model.experts = 8;
    spec.training.device = DeviceChoice::cpu;
    EXPECT_FALSE(hasErrors(checkSpec(spec)));
    spec.model.expertsPerToken = 9;
    EXPECT_TRUE(refuses(spec, "model.experts_per_token"));
    spec.model.experts = 0;  // then the rest is not looked at
    EXPECT_FALSE(hasErrors(checkSpec(spec)));
    spec.model.experts = 9;
    spec.model.denseLayers = 3;
    EXPECT_FALSE(hasErrors(checkSpec(spec)));
    spec.model.denseLayers = 4;
    EXPECT_TRUE(refuses(spec, "model.dense_layers"));
    spec.model.denseLayers = 0;
    spec.model.experts = 4096;
    spec.model.layers = 100;
    EXPECT_TRUE(refuses(spec, "model.experts"));
}

TEST(SpecCheck, ExpertsAreForOneCpuSoFar) {
    RunSpec spec;
    spec.model.experts = 8;
    spec.training.device = DeviceChoice::cuda;
    EXPECT_TRUE(refuses(spec, "training.device"));
    spec.training.device = DeviceChoice::cpu;
    EXPECT_FALSE(hasErrors(checkSpec(spec)));
    spec.parallel.expertParallelSize = 2;
    EXPECT_TRUE(refuses(spec, "model.experts"));
}

TEST(SpecCheck, ARouterThatLearnsNothingIsSaid) {
    RunSpec spec;
    spec.model.experts = 8;
    spec.training.device = DeviceChoice::cpu;
    EXPECT_EQ(problemAt(checkSpec(spec), "model.normalised_routes"), nullptr);
    spec.model.expertsPerToken = 1;
    const std::vector<Problem> problems = checkSpec(spec);
    const Problem* problem = problemAt(problems, "model.normalised_routes");
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->severity, Severity::warning);
    spec.model.normalisedRoutes = false;
    EXPECT_EQ(problemAt(checkSpec(spec), "model.normalised_routes"), nullptr);
}

TEST(SpecCheck, RowsMustBeSharedEvenly) {
    RunSpec spec;
    spec.training.batchSize = 8;
    spec.parallel.dataParallelSize = 2;
    spec.parallel.microBatchSize = 2;
    EXPECT_FALSE(refuses(spec, "parallel.micro_batch_size"));
    spec.parallel.microBatchSize = 3;
    EXPECT_TRUE(refuses(spec, "parallel.micro_batch_size"));
    spec.parallel.dataParallelSize = 3;
    EXPECT_TRUE(refuses(spec, "training.batch_size"));
}

TEST(SpecCheck, Fp8TakesDimensionsInMultiplesOf16) {
    RunSpec spec = presetSpec("light").orThrow();
    spec.training.precision = Precision::fp8;
    EXPECT_FALSE(hasErrors(checkSpec(spec)));
    spec.model.feedForwardWidth = 1400;
    EXPECT_TRUE(refuses(spec, "model.feed_forward_width"));
    spec.training.precision = Precision::bf16;
    EXPECT_FALSE(refuses(spec, "model.feed_forward_width"));
    spec = presetSpec("light").orThrow();
    spec.training.precision = Precision::fp8;
    spec.training.batchSize = spec.parallel.microBatchSize = 1;
    spec.model.sequenceLength = 1000;
    EXPECT_TRUE(refuses(spec, "model.sequence_length"));
}

TEST(SpecCheck, SixteenBitStateGoesWithItsPrecisions) {
    RunSpec spec;
    spec.optimizer.statePrecision = StatePrecision::bf16;
    for (const Precision precision : {Precision::bf16, Precision::fp8, Precision::fp32, Precision::fp16}) {
        spec.training.precision = precision;
        EXPECT_EQ(refuses(spec, "optimizer.state_precision"),
                  precision == Precision::fp32 || precision == Precision::fp16);
    }
}

TEST(SpecCheck, ExactOperationsAreKnownOnes) {
    RunSpec spec;
    spec.training.exactOps = "norm, head";
    EXPECT_FALSE(refuses(spec, "training.exact_ops"));
    spec.training.exactOps = "norm,heads";
    EXPECT_TRUE(refuses(spec, "training.exact_ops"));
}

TEST(SpecCheck, TheCpuRefusesHalfPrecision) {
    RunSpec spec;
    spec.training.device = DeviceChoice::cpu;
    spec.training.precision = Precision::bf16;
    EXPECT_TRUE(refuses(spec, "training.precision"));
    spec.training.precision = Precision::fp32;
    EXPECT_FALSE(refuses(spec, "training.precision"));
}

TEST(SpecCheck, ARunWithoutCheckpointsIsWarnedAboutAndMayStart) {
    RunSpec spec = allPresets().front().spec;
    spec.checkpoint.interval.unit = Interval::Unit::never;
    const std::vector<Problem> problems = checkSpec(spec);
    const Problem* problem = problemAt(problems, "checkpoint.checkpoint_interval");
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->severity, Severity::warning);
    EXPECT_FALSE(hasErrors(problems));
}

TEST(SpecCheck, NamesWithControlCharactersAreRefused) {
    RunSpec spec;
    spec.launch.name = "first\nsecond";
    EXPECT_TRUE(refuses(spec, "launch.name"));
    spec.launch.name = "扩散 first";
    EXPECT_FALSE(refuses(spec, "launch.name"));
}

}  // namespace
}  // namespace unmask
