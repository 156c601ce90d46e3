// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/optimizer/learning_rate.h"

namespace unmask {
namespace {

OptimizerConfig config(RateSchedule schedule) {
    OptimizerConfig c;
    c.learningRate = 1e-3;
    c.schedule = schedule;
    return c;
}

TEST(LearningRate, WarmsUpLinearlyToThePeak) {
    for (const ScheduleEntry& entry : allSchedules()) {
        const OptimizerConfig c = config(entry.kind);
        EXPECT_DOUBLE_EQ(learningRate(c, 1000, 0), 1e-5) << entry.name;
        EXPECT_DOUBLE_EQ(learningRate(c, 1000, 49), 5e-4) << entry.name;
        EXPECT_DOUBLE_EQ(learningRate(c, 1000, 99), 1e-3) << entry.name;
    }
}

TEST(LearningRate, EndsAtTheFinalRateAndStaysThere) {
    for (const ScheduleEntry& entry : allSchedules()) {
        const double last = entry.kind == RateSchedule::constant ? 1e-3 : 1e-4;
        EXPECT_NEAR(learningRate(config(entry.kind), 1000, 999), last, 1e-18) << entry.name;
        EXPECT_NEAR(learningRate(config(entry.kind), 1000, 5000), last, 1e-18) << entry.name;
    }
}

TEST(LearningRate, CoursesBetween) {
    // Step 549 is half-way through the 900 steps after warm-up.
    EXPECT_NEAR(learningRate(config(RateSchedule::linear), 1000, 549), 5.5e-4, 1e-15);
    EXPECT_NEAR(learningRate(config(RateSchedule::cosine), 1000, 549), 5.5e-4, 1e-15);
    EXPECT_NEAR(learningRate(config(RateSchedule::cosine), 1000, 324),
                1e-4 + 9e-4 * (1 + std::cos(std::numbers::pi / 4)) / 2, 1e-15);
    EXPECT_DOUBLE_EQ(learningRate(config(RateSchedule::constant), 1000, 549), 1e-3);
    EXPECT_DOUBLE_EQ(learningRate(config(RateSchedule::warmupStableDecay), 1000, 799), 1e-3);
    EXPECT_NEAR(learningRate(config(RateSchedule::warmupStableDecay), 1000, 899), 5.5e-4, 1e-15);
}

TEST(LearningRate, EdgesAreFinite) {
    for (const ScheduleEntry& entry : allSchedules()) {
        for (const double warmup : {0.0, 1.0}) {
            OptimizerConfig c = config(entry.kind);
            c.warmupFraction = warmup;
            c.decayFraction = 0;
            for (const int64_t steps : {1, 2, 10})
                for (int64_t step = 0; step <= steps; ++step) {
                    const double rate = learningRate(c, steps, step);
                    EXPECT_TRUE(std::isfinite(rate) && rate >= 0 && rate <= 1e-3) << entry.name << " " << step;
                }
        }
    }
}

}  // namespace
}  // namespace unmask
