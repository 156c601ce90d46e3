// SPDX-License-Identifier: Apache-2.0
// What must not change a result: stopping and resuming, recomputation (both bit for bit), and accumulation (to the last
// digits of float64). And what the result is: losses of a tiny model, so that a change of mathematics is seen.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/train/run_journal.h"
#include "tests/golden/training_harness.h"

namespace unmask::test {
namespace {

using Curve = std::map<int64_t, double>;

class Golden : public testing::Test {
 protected:
    Golden() { writeTinyData(m_data.path()); }

    struct Result {
        Curve loss, gradNorm, validation;
        std::map<std::string, std::vector<double>> weights;
        bool operator==(const Result&) const = default;
    };
    static Result resultOf(const Training& training, const RunFolder& folder) {
        return {curveOf(folder, "train/loss"), curveOf(folder, "train/grad_norm"), curveOf(folder, "validation/loss"),
                training.weights()};
    }
    Result trained(const RunSpec& spec) {
        const TempRun run;
        Training training(spec, run, m_data.path());
        EXPECT_EQ(training.run().code, ErrorCode::finished);
        return resultOf(training, run);
    }
    TempFolder m_data;
};

TEST_F(Golden, SameSeedSameLossesOtherSeedOtherLosses) {
    const Result first = trained(tinySpec());
    EXPECT_EQ(first.loss.size(), 12u);
    EXPECT_EQ(first.validation.size(), 3u);
    EXPECT_EQ(first, trained(tinySpec()));
    RunSpec other = tinySpec();
    other.training.seed = 43;
    EXPECT_NE(first.loss, trained(other).loss);
}

TEST_F(Golden, TrainingLowersTheLoss) {
    RunSpec spec = tinySpec();
    spec.training.steps = 60;
    const Result result = trained(spec);
    EXPECT_NEAR(result.loss.at(1), std::log(258), 0.3);  // uniform over the ids that may be predicted
    EXPECT_LT(result.validation.rbegin()->second, 2.6);
}

// Stopped after each step in turn, resumed, and once more: curve, validation and weights as if nothing had happened.
TEST_F(Golden, StopAndResumeIsBitEqual) {
    const Result whole = trained(tinySpec());
    for (const int64_t stopAfter : {1, 4, 5, 11}) {
        const TempRun run;
        const auto stopAt = [](int64_t step) {
            return [step](int64_t k, Training& training) {
                if (k == step - 1)
                    training.control().submit({.id = "stop-" + std::to_string(step), .kind = CommandKind::stop});
            };
        };
        {
            Training training(tinySpec(), run, m_data.path(), stopAt(stopAfter));
            EXPECT_EQ(training.run().code, ErrorCode::stopped);
            EXPECT_EQ(training.checkpoints().lastSavedStep(), stopAfter);
        }
        if (stopAfter < 9) {
            Training training(tinySpec(), run, m_data.path(), stopAt(9), true);
            EXPECT_EQ(training.run().code, ErrorCode::stopped);
        }
        Training training(tinySpec(), run, m_data.path(), {}, true);
        EXPECT_EQ(training.run().code, ErrorCode::finished);
        EXPECT_EQ(whole, resultOf(training, run)) << "stopped after " << stopAfter;
    }
}

TEST_F(Golden, RecomputationIsBitEqual) {
    const Result kept = trained(tinySpec());
    for (const Checkpointing way : {Checkpointing::selective, Checkpointing::full}) {
        RunSpec spec = tinySpec();
        spec.parallel.activationCheckpointing = way;
        EXPECT_EQ(kept, trained(spec)) << wordOf(way);
    }
}

double largestDifference(const Curve& left, const Curve& right) {
    double largest = left.size() == right.size() ? 0 : INFINITY;
    for (const auto& [step, value] : left)
        largest = std::max(largest, std::abs(value - right.at(step)) / std::abs(value));
    return largest;
}

TEST_F(Golden, AccumulationGivesTheFullBatchsGradient) {
    for (const ObjectiveKind kind : {ObjectiveKind::exactCount, ObjectiveKind::inverseT}) {
        RunSpec spec = tinySpec();
        spec.objective.kind = kind;
        spec.training.precision = Precision::fp64;
        const Result whole = trained(spec);
        for (const int64_t rows : {1, 2, 3, 8}) {
            spec.parallel.microBatchSize = rows;
            const Result parts = trained(spec);
            EXPECT_LE(largestDifference(whole.loss, parts.loss), 1e-12) << rows;
            EXPECT_LE(largestDifference(whole.gradNorm, parts.gradNorm), 1e-12) << rows;
            EXPECT_LE(largestDifference(whole.validation, parts.validation), 1e-12) << rows;
        }
    }
}

// float64, one thread. A change here is a change of mathematics, of the data order or of the noise; say so in the commit.
TEST_F(Golden, LossesOfTheTinyModel) {
    RunSpec spec = tinySpec();
    spec.training.precision = Precision::fp64;
    const Result result = trained(spec);
    const Curve expected{{1, 5.53715029325599},  {2, 5.29663393376643},  {3, 5.13062455876197},
                         {4, 4.97435041658433},  {5, 4.85673487128647},  {6, 4.75905104343918},
                         {7, 4.63897794217102},  {8, 4.57991263717225},  {9, 4.54728606472945},
                         {10, 4.48616983065039}, {11, 4.42454522843947}, {12, 4.45154028048016}};
    EXPECT_LE(largestDifference(expected, result.loss), 1e-9);
}

}  // namespace
}  // namespace unmask::test
