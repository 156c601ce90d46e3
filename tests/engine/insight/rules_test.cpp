// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/rules.h"

#include <gtest/gtest.h>

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

TEST(SpikeRule, OneSpikeIsOrdinaryThreeAreNot) {
    SpikeRule rule;
    std::vector<SuggestionEvent> said;
    for (int64_t step = 1; step <= 400; ++step) {
        const bool spike = step == 100 || step == 200 || step == 250;
        rule.observe(step, {{std::string(metric::kGradNorm), spike ? 20.0 : 1.0 + 0.1 * static_cast<double>(step % 3)}},
                     said);
        if (step == 249) {
            EXPECT_TRUE(said.empty());
        }
    }
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].firstStep, 100);
    EXPECT_EQ(said[0].lastStep, 250);
}
