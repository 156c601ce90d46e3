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

// Sparse blocks of every kind: a first dense layer, balance by loss or by bias, with and without room for all.
std::vector<RunSpec> sparseSpecs() {
    RunSpec spec = tinySpec();
    spec.model.experts = 4;
    spec.model.expertsPerToken = 2;
    spec.model.expertWidth = 32;
    spec.model.layers = 3;
    spec.model.denseLayers = 1;
    std::vector<RunSpec> specs(2, spec);
    specs[1].model.router = RouterKind::sigmoid;
    specs[1].model.expertBalance = ExpertBalance::bias;
    specs[1].model.sharedExperts = 1;
    specs[1].model.expertCapacity = 0.9;
    return specs;
}

TEST_F(Golden, SparseModelsRecomputeStopAndResumeBitEqual) {
    for (const RunSpec& spec : sparseSpecs()) {
        const Result whole = trained(spec);
        EXPECT_EQ(whole, trained(spec));
        EXPECT_LT(whole.validation.rbegin()->second, whole.validation.begin()->second);
        for (const Checkpointing way : {Checkpointing::selective, Checkpointing::full}) {
            RunSpec again = spec;
            again.parallel.activationCheckpointing = way;
            EXPECT_EQ(whole, trained(again)) << wordOf(way);
        }
        const TempRun run;
        {
            Training training(spec, run, m_data.path(), [](int64_t k, Training& t) {
                if (k == 4)
                    t.control().submit({.id = "stop", .kind = CommandKind::stop});
            });
            EXPECT_EQ(training.run().code, ErrorCode::stopped);
        }
        Training training(spec, run, m_data.path(), {}, true);
        EXPECT_EQ(training.run().code, ErrorCode::finished);
        EXPECT_EQ(whole, resultOf(training, run));
    }
}

TEST_F(Golden, SparseRunsRecordTheirExpertsAndTheBiasFollows) {
    for (const RunSpec& spec : sparseSpecs()) {
        const TempRun run;
        Training training(spec, run, m_data.path());
        EXPECT_EQ(training.run().code, ErrorCode::finished);
        const bool limited = spec.model.expertCapacity > 0;
        EXPECT_EQ(curveOf(run, "train/balance_loss").size(), 12u);
        EXPECT_EQ(curveOf(run, "train/dropped_routes").size(), limited ? 12u : 0u);
        for (const auto& [step, share] : curveOf(run, "train/largest_expert_share")) {
            EXPECT_GE(share, 0.25) << step;
            EXPECT_LE(share, 0.5) << step;  // an expert is chosen once a token, of two
        }
        const auto weights = training.weights();
        const auto bias = weights.find("blocks.1.feed_forward.router.expert_bias");
        ASSERT_EQ(bias != weights.end(), spec.model.expertBalance == ExpertBalance::bias);
        if (bias == weights.end())
            continue;
        double moved = 0;
        for (const double value : bias->second) {
            moved += std::abs(value);
            EXPECT_NEAR(value / spec.model.balanceCoefficient, std::round(value / spec.model.balanceCoefficient), 1e-4)
                << "a step of the balance coefficient an update, and nothing from the optimizer";
        }
        EXPECT_GT(moved, 0);
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

// Routes are a token's own without capacity; the balance loss is that of each micro-batch, weighed by its share.
TEST_F(Golden, AccumulationChangesNothingForExpertsWithoutBalanceLoss) {
    RunSpec spec = sparseSpecs().front();
    spec.model.expertBalance = ExpertBalance::none;
    spec.training.precision = Precision::fp64;
    const Result whole = trained(spec);
    spec.parallel.microBatchSize = 2;
    const Result parts = trained(spec);
    EXPECT_LE(largestDifference(whole.loss, parts.loss), 1e-12);
    EXPECT_LE(largestDifference(whole.gradNorm, parts.gradNorm), 1e-12);
}

// float64, one thread. A change here is a change of mathematics, of the data order or of the noise; say so in the
// commit.
TEST_F(Golden, LossesOfTheTinyModel) {
    RunSpec spec = tinySpec();
    spec.training.precision = Precision::fp64;
    const Result result = trained(spec);
    const Curve expected{{1, 5.53715029325599}, {2, 5.29663393376643},  {3, 5.13062455876197},  {4, 4.97435041658433},
                         {5, 4.85673487128647}, {6, 4.75905104343918},  {7, 4.63897794217102},  {8, 4.57991263717225},
                         {9, 4.54728606472945}, {10, 4.48616983065039}, {11, 4.42454522843947}, {12, 4.45154028048016}};
    EXPECT_LE(largestDifference(expected, result.loss), 1e-9);
}

}  // namespace
}  // namespace unmask::test
