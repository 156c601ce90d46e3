// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/planner/plan.h"
#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

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

}  // namespace
}  // namespace unmask
