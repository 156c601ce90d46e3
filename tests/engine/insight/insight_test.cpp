// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/insight.h"

#include <gtest/gtest.h>

#include <cmath>
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

TEST(Insights, MissingAndNonFiniteValuesAreSkipped) {
    Insights insights;
    for (int64_t step = 1; step < 2000; ++step)
        EXPECT_TRUE(insights
                        .observe(step, {{std::string(metric::kTrainLoss), std::nan("")},
                                        {std::string(metric::kValidationLoss), HUGE_VAL}})
                        .empty());
}
