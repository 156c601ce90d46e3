// SPDX-License-Identifier: Apache-2.0
#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/optimizer/gradient_clip.h"
#include "engine/optimizer/learning_rate.h"
#include "engine/optimizer/optimizer.h"

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
    EXPECT_NEAR(learningRate(config(RateSchedule::cosine), 1000, 324), 1e-4 + 9e-4 * (1 + std::cos(M_PI / 4)) / 2,
                1e-15);
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

TEST(GradientClip, LimitsTheNorm) {
    EXPECT_DOUBLE_EQ(clipFactor(4, 1), 0.25);
    EXPECT_DOUBLE_EQ(clipFactor(0.5, 1), 1);
    EXPECT_DOUBLE_EQ(clipFactor(4, 0), 1);
}

struct Bench {
    std::vector<Slab> slabs{{"one", at::ones({20}), at::full({20}, 3.0), 16},
                            {"two", at::ones({4}), at::full({4}, 4.0), 0}};
    OptimizerConfig settings;
    std::unique_ptr<Optimizer> optimizer = makeOptimizer(settings, slabs);
};

TEST(Optimizer, ReportsTheNormAndClips) {
    Bench bench;
    const UpdateReport report = bench.optimizer->update(bench.slabs, bench.settings, 1e-2);
    EXPECT_TRUE(report.applied);
    EXPECT_DOUBLE_EQ(report.gradientNorm, std::sqrt(20 * 9.0 + 4 * 16.0));
    EXPECT_DOUBLE_EQ(report.clipFactor, 1 / report.gradientNorm);
    EXPECT_EQ(bench.optimizer->updates(), 1);
    // The first step of Adam has the size of the rate; only the matrix part also decays.
    EXPECT_NEAR(bench.slabs[0].values[0].item<float>(), 1 - 1e-2 * 0.1 - 1e-2, 1e-6);
    EXPECT_NEAR(bench.slabs[0].values[17].item<float>(), 1 - 1e-2, 1e-6);
    EXPECT_NEAR(bench.slabs[1].values[0].item<float>(), 1 - 1e-2, 1e-6);
    EXPECT_EQ(bench.optimizer->states()[0].name, "adam_m");
    EXPECT_NEAR(bench.optimizer->states()[0].slabs[0][0].item<double>(), 0.1 * 3 / report.gradientNorm, 1e-7);
}

TEST(Optimizer, NonFiniteGradientsHoldTheUpdateBack) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Bench bench;
        bench.optimizer->update(bench.slabs, bench.settings, 1e-2);
        const at::Tensor values = bench.slabs[0].values.clone();
        const at::Tensor m = bench.optimizer->states()[0].slabs[0].clone();
        bench.slabs[1].gradients.narrow(0, 2, 1).fill_(bad);
        const UpdateReport report = bench.optimizer->update(bench.slabs, bench.settings, 1e-2);
        EXPECT_FALSE(report.applied);
        EXPECT_FALSE(std::isfinite(report.gradientNorm));
        EXPECT_TRUE(at::equal(bench.slabs[0].values, values));
        EXPECT_TRUE(at::equal(bench.optimizer->states()[0].slabs[0], m));
        EXPECT_EQ(bench.optimizer->updates(), 1);
    }
}

TEST(Optimizer, StateAndCountContinueARun) {
    Bench through;
    Bench resumed;
    for (int i = 0; i < 2; ++i) {
        through.optimizer->update(through.slabs, through.settings, 1e-2);
        resumed.optimizer->update(resumed.slabs, resumed.settings, 1e-2);
    }
    const auto fresh = makeOptimizer(resumed.settings, resumed.slabs);
    for (size_t i = 0; i < fresh->states().size(); ++i)
        for (size_t slab = 0; slab < resumed.slabs.size(); ++slab)
            fresh->states()[i].slabs[slab].copy_(resumed.optimizer->states()[i].slabs[slab]);
    fresh->setUpdates(resumed.optimizer->updates());
    through.optimizer->update(through.slabs, through.settings, 1e-2);
    fresh->update(resumed.slabs, resumed.settings, 1e-2);
    EXPECT_TRUE(at::equal(through.slabs[0].values, resumed.slabs[0].values));
}

TEST(Registry, NamesAreThoseOfTheSpec) {
    ASSERT_EQ(allOptimizers().size(), Choices<OptimizerKind>::list.size());
    EXPECT_EQ(allOptimizers()[0].name, "adamw");
    ASSERT_EQ(allSchedules().size(), Choices<RateSchedule>::list.size());
    for (const ScheduleEntry& entry : allSchedules())
        EXPECT_EQ(entry.name, wordOf(entry.kind));
}

}  // namespace
}  // namespace unmask
