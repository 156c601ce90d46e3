// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/insight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

#include "engine/protocol/metric_names.h"

using namespace unmask;

// A healthy run as diffusion models have it: a falling curve, training loss that jitters by a third of itself with the
// noise level, a heavy-tailed gradient norm, validation every 50 steps with little noise. Nothing may be said.
TEST(Insights, AHealthyRunIsLeftAlone) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        Insights insights;
        std::mt19937 random(seed);
        std::normal_distribution<double> noise(0, 1);
        std::lognormal_distribution<double> norm(-0.5, 0.4);
        for (int64_t step = 1; step <= 5000; ++step) {
            const double level = 2.2 + 3.3 * std::exp(-static_cast<double>(step) / 900);
            MetricValues values{{std::string(metric::kTrainLoss), level * (1 + 0.33 * noise(random))},
                                {std::string(metric::kGradNorm), norm(random)}};
            if (step % 50 == 0)
                values[std::string(metric::kValidationLoss)] =
                    2.25 + 3.3 * std::exp(-static_cast<double>(step) / 900) - step * 2e-5 + 0.002 * noise(random);
            const auto said = insights.observe(step, values);
            ASSERT_TRUE(said.empty()) << "seed " << seed << " step " << step << ": " << said[0].text;
        }
    }
}

// The first run that people start: preset first-steps on the bundled corpus, recorded. Its norm jumps from 0.8 to 39
// during the warm-up and to 4.5 after it, four times within 110 steps, while the loss falls from 5.6 to 2.6.
TEST(Insights, TheFirstRunThatPeopleStartIsLeftAlone) {
    std::ifstream file(UNMASK_SOURCE_DIR "/tests/engine/insight/first_steps_run.csv");
    std::string line;
    ASSERT_TRUE(std::getline(file, line)) << "its head";
    Insights insights;
    int64_t step = 0;
    double loss = 0, norm = 0, rate = 0;
    char comma = 0;
    int count = 0;
    while (file >> step >> comma >> loss >> comma >> norm >> comma >> rate) {
        const auto said = insights.observe(step, {{std::string(metric::kTrainLoss), loss},
                                                  {std::string(metric::kGradNorm), norm},
                                                  {std::string(metric::kLearningRate), rate}});
        ASSERT_TRUE(said.empty()) << "step " << step << ": " << said[0].text;
        ++count;
    }
    EXPECT_EQ(count, 900);
}

// The same warm-up, then a loss that climbs with jumps of the norm.
TEST(Insights, ARunThatComesApartIsTold) {
    Insights insights;
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 1);
    std::vector<SuggestionEvent> said;
    for (int64_t step = 1; step <= 1200; ++step) {
        const double sinceBreak = static_cast<double>(std::max<int64_t>(0, step - 400));
        const double level = 2.6 + 2.9 * std::exp(-static_cast<double>(step) / 150) + 0.003 * sinceBreak;
        const bool jump = step > 400 && step % 20 == 0;
        const auto now = insights.observe(
            step, {{std::string(metric::kTrainLoss), level + 0.15 * noise(random)},
                   {std::string(metric::kGradNorm), (jump ? 15 : 0.8) * std::exp(0.2 * noise(random))},
                   {std::string(metric::kLearningRate), 4e-3 * std::min(1.0, static_cast<double>(step) / 90)}});
        said.insert(said.end(), now.begin(), now.end());
    }
    ASSERT_FALSE(said.empty());
    EXPECT_EQ(said[0].rule, "gradient_spikes");
    EXPECT_GT(said[0].lastStep, 400);
    EXPECT_LT(said[0].lastStep, 600);
    EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const auto& one) { return one.rule == "divergence"; }));
}

TEST(Insights, MissingAndNonFiniteValuesAreSkipped) {
    Insights insights;
    for (int64_t step = 1; step < 2000; ++step)
        EXPECT_TRUE(insights
                        .observe(step, {{std::string(metric::kTrainLoss), std::nan("")},
                                        {std::string(metric::kValidationLoss), HUGE_VAL}})
                        .empty());
}
