// SPDX-License-Identifier: Apache-2.0
// Each trouble with a GPU has a sentence, and the first that explains the others is the one that is said.
#include "engine/ops/gpu_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {

using testing::HasSubstr;

GpuFacts healthy() {
    return {.driver = 13000, .devices = 1, .name = "NVIDIA H200", .major = 9, .minor = 0};
}

TEST(GpuProblem, AGpuThatCanBeUsedHasNone) {
    EXPECT_EQ(problemOf(healthy()), "");
    GpuFacts newer = healthy();
    newer.driver = 13020;
    EXPECT_EQ(problemOf(newer), "");
}

TEST(GpuProblem, NoDriverExplainsEverythingElse) {
    EXPECT_THAT(problemOf({}), HasSubstr("no NVIDIA driver"));
}

TEST(GpuProblem, AnOldDriverIsNamedWithBothVersions) {
    GpuFacts facts = healthy();
    facts.driver = 12080;
    facts.failure = "CUDA driver version is insufficient for CUDA runtime version";
    EXPECT_THAT(problemOf(facts), testing::AllOf(HasSubstr("too old"), HasSubstr("12.8"), HasSubstr("13.0")));
}

TEST(GpuProblem, NothingVisibleAndWhatTheDriverSays) {
    GpuFacts facts = healthy();
    facts.devices = 0;
    EXPECT_THAT(problemOf(facts), HasSubstr("none is visible"));
    facts.failure = "all CUDA-capable devices are busy or unavailable";
    EXPECT_THAT(problemOf(facts), HasSubstr("busy or unavailable")) << "held by another program";
}

TEST(GpuProblem, AGpuThatFellSilentOrIsNotBuiltFor) {
    GpuFacts facts = healthy();
    facts.answers = false;
    EXPECT_EQ(problemOf(facts), "the GPU does not answer");
    facts = healthy();
    facts.kernelsFit = false;
    facts.name = "NVIDIA A100";
    facts.major = 8;
    EXPECT_THAT(problemOf(facts), testing::AllOf(HasSubstr("NVIDIA A100"), HasSubstr("8.0")));
}

}  // namespace
}  // namespace unmask
