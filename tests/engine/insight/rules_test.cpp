// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/protocol/metric_names.h"

using namespace unmask;

namespace {
MetricValues validation(double loss, double training = 1.0) {
    return {{std::string(metric::kValidationLoss), loss}, {std::string(metric::kTrainLoss), training}};
}
}  // namespace

TEST(PlateauRule, SpeaksOnceAfterTenFlatEvaluationsAndAgainOnlyAfterProgress) {
    PlateauRule rule;
    std::vector<SuggestionEvent> said;
    int64_t step = 0;
    for (int i = 0; i < 10; ++i)
        rule.observe(step += 100, validation(3.0 - 0.1 * i), said);
    for (int i = 0; i < 9; ++i)
        rule.observe(step += 100, validation(2.1), said);
    EXPECT_TRUE(said.empty());
    for (int i = 0; i < 5; ++i)
        rule.observe(step += 100, validation(2.1), said);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].rule, "plateau");
    EXPECT_EQ(said[0].lastStep - said[0].firstStep, 900) << "the evidence spans the ten evaluations";
    rule.observe(step += 100, validation(1.5), said);
    for (int i = 0; i < 12; ++i)
        rule.observe(step += 100, validation(1.5), said);
    EXPECT_EQ(said.size(), 2u);
}

TEST(OverfittingRule, NeedsRisingValidationAndFallingTraining) {
    for (const bool trainingFalls : {true, false}) {
        OverfittingRule rule;
        std::vector<SuggestionEvent> said;
        for (int i = 0; i < 20; ++i)
            rule.observe(100 * (i + 1),
                         validation(2.0 + 0.03 * std::abs(i - 8), trainingFalls ? 3.0 - 0.1 * i : 3.0 + 0.1 * i), said);
        EXPECT_EQ(said.size(), trainingFalls ? 1u : 0u);
        if (trainingFalls) {
            EXPECT_EQ(said[0].firstStep, 900) << "the best step is the evidence's begin";
        }
    }
}

TEST(DivergenceRule, SpeaksWhenSmoothedLossStaysUp) {
    DivergenceRule rule;
    std::vector<SuggestionEvent> said;
    int64_t step = 0;
    for (int i = 0; i < 500; ++i)
        rule.observe(++step, {{std::string(metric::kTrainLoss), 2.0}}, said);
    for (int i = 0; i < 100; ++i)
        rule.observe(++step, {{std::string(metric::kTrainLoss), 4.0}}, said);
    for (int i = 0; i < 500; ++i)
        rule.observe(++step, {{std::string(metric::kTrainLoss), 2.0}}, said);
    EXPECT_TRUE(said.empty()) << "a bump that heals is no divergence";
    for (int i = 0; i < 400; ++i)
        rule.observe(++step, {{std::string(metric::kTrainLoss), 5.0}}, said);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].action, "lower_learning_rate");
}

namespace {

// A run with a warm-up of 100 steps and an ordinary norm of about 1; `jumps` are steps at which it is 20.
class SpikeRun {
 public:
    std::vector<int64_t> jumps;
    double lossBefore = 3.0, lossPerStep = 0;  // from step 200 on
    int64_t warmup = 100;

    std::vector<SuggestionEvent> go(int64_t steps) const {
        SpikeRule rule;
        std::vector<SuggestionEvent> said;
        for (int64_t step = 1; step <= steps; ++step) {
            const bool jump = std::find(jumps.begin(), jumps.end(), step) != jumps.end();
            const double jitter = 0.02 * static_cast<double>(step * 7919 % 13 - 6);  // -0.12 to 0.12
            rule.observe(step,
                         {{std::string(metric::kGradNorm), jump ? 20.0 : 1.0 + jitter},
                          {std::string(metric::kTrainLoss),
                           lossBefore + jitter + lossPerStep * static_cast<double>(std::max<int64_t>(0, step - 200))},
                          {std::string(metric::kLearningRate),
                           1e-3 * std::min(1.0, static_cast<double>(step) / static_cast<double>(warmup))}},
                         said);
        }
        return said;
    }
};

}  // namespace

TEST(SpikeRule, JumpsWhileTheLossRisesAreSaidWithTheirFigures) {
    SpikeRun run;
    run.jumps = {300, 350, 420};
    run.lossPerStep = 0.002;
    const auto said = run.go(500);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].rule, "gradient_spikes");
    EXPECT_EQ(said[0].action, "lower_learning_rate");
    EXPECT_EQ(said[0].firstStep, 300);
    EXPECT_EQ(said[0].lastStep, 420);
    EXPECT_NE(said[0].text.find("jumped 3 times"), std::string::npos) << said[0].text;
    EXPECT_NE(said[0].text.find("to 20 at step 420"), std::string::npos) << said[0].text;
}

TEST(SpikeRule, JumpsWhileTheLossFallsAreLeftAlone) {
    SpikeRun run;
    run.jumps = {300, 350, 420, 430, 440};
    run.lossPerStep = -0.002;
    EXPECT_TRUE(run.go(900).empty());
}

TEST(SpikeRule, ARiseThatFollowsTheJumpsIsStillSaid) {
    SpikeRule rule;
    std::vector<SuggestionEvent> said;
    for (int64_t step = 1; step <= 600; ++step) {
        const bool jump = step == 300 || step == 310 || step == 320;
        const double loss = step < 320 ? 4.0 - 0.002 * static_cast<double>(step) : 4.2;
        rule.observe(step,
                     {{std::string(metric::kGradNorm), jump ? 9.0 : 1.0 + 0.1 * static_cast<double>(step % 3)},
                      {std::string(metric::kTrainLoss), loss}},
                     said);
        if (step <= 320) {
            EXPECT_TRUE(said.empty()) << "at step " << step << " the loss still falls";
        }
    }
    ASSERT_EQ(said.size(), 1u);
    EXPECT_LE(said[0].lastStep, 400);
}

TEST(SpikeRule, TwoJumpsOrJumpsFarApartAreOrdinary) {
    SpikeRun run;
    run.lossPerStep = 0.002;
    run.jumps = {300, 420};
    EXPECT_TRUE(run.go(900).empty());
    run.jumps = {300, 460, 620, 780};
    EXPECT_TRUE(run.go(900).empty());
}

TEST(SpikeRule, TheWarmUpIsLeftAloneHoweverLongItIs) {
    SpikeRun run;
    run.lossPerStep = 0.002;
    run.jumps = {300, 350, 420};
    run.warmup = 400;
    EXPECT_TRUE(run.go(700).empty());
    run.jumps = {500, 550, 620};
    EXPECT_EQ(run.go(700).size(), 1u);
}

TEST(SpikeRule, IsSaidAgainOnlyAfterItsStepsHavePassed) {
    SpikeRun run;
    run.lossPerStep = 0.002;
    for (int64_t step = 300; step < 900; step += 40)
        run.jumps.push_back(step);
    const auto said = run.go(900);
    ASSERT_EQ(said.size(), 2u);
    EXPECT_GE(said[1].lastStep - said[0].lastStep, 300);
}

TEST(SpikeRule, ALevelThatLastsBecomesTheOrdinaryOne) {
    SpikeRule rule;
    std::vector<SuggestionEvent> said;
    for (int64_t step = 1; step <= 1500; ++step)
        rule.observe(step,
                     {{std::string(metric::kGradNorm), (step < 300 ? 1.0 : 5.0) + 0.1 * static_cast<double>(step % 3)},
                      {std::string(metric::kTrainLoss), 3.0}},
                     said);
    EXPECT_EQ(said.size(), 1u) << "once, when it rose";
}
