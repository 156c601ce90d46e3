// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/step_pace.h"

#include <gtest/gtest.h>

using namespace unmask::ui;

namespace {

SeriesColumns steady(int points, double secondsPerStep) {
    SeriesColumns columns;
    for (int i = 1; i <= points; ++i) {
        columns.step.push_back(i);
        columns.elapsed.push_back(i * secondsPerStep);
        columns.value.push_back(1);
    }
    return columns;
}

TEST(StepPace, SaysNothingBeforeThirtySteps) {
    EXPECT_FALSE(secondsPerStep(steady(29, 0.1)));
    EXPECT_TRUE(secondsPerStep(steady(30, 0.1)));
}

TEST(StepPace, OneSlowStepDoesNotCount) {
    SeriesColumns columns = steady(100, 0.1);
    for (size_t i = 90; i < 100; ++i)
        columns.elapsed[i] += 60;  // a checkpoint took a minute
    EXPECT_NEAR(*secondsPerStep(columns), 0.1, 1e-9);
    EXPECT_NEAR(*secondsLeft(columns, 100, 300), 20, 1e-6);
}

TEST(StepPace, SparseRecordsCountPerStep) {
    SeriesColumns columns = steady(40, 1.0);
    for (double& step : columns.step)
        step *= 10;
    EXPECT_NEAR(*secondsPerStep(columns), 0.1, 1e-9);
}

TEST(StepPace, NothingIsLeftAtTheEnd) {
    EXPECT_EQ(*secondsLeft(steady(100, 0.1), 120, 100), 0);
    EXPECT_FALSE(secondsLeft(steady(100, 0.1), 50, 0));
}

}  // namespace
