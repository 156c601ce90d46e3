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

TEST(SpecCheck, ExpertsAreRefused) {
    RunSpec spec;
    EXPECT_FALSE(refuses(spec, "model.experts"));
    spec.model.experts = 4;
    EXPECT_TRUE(refuses(spec, "model.experts"));
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
