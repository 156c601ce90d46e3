// SPDX-License-Identifier: Apache-2.0
#include "engine/train/train_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/golden/training_harness.h"

namespace unmask {
namespace {

class TrainStepTest : public testing::Test {
 protected:
    TrainStepTest() {
        RunSpec spec = test::tinySpec();
        spec.data.files = {test::writeTinyData(m_data.path()).string()};
        m_run = assembleRun(spec, importData(spec, {}, {.storesFolder = m_data.path() / "stores"}));
        m_run->model->initialise(1);
    }
    LoadedBatch batch(int64_t k) const { return loadBatch(*m_run->data.training, k, 3, m_run->tokenizer->padding()); }
    std::vector<double> weights() const {
        std::vector<double> all;
        for (const Slab& slab : m_run->model->slabs())
            all.push_back(slab.values.sum().item<double>());
        return all;
    }
    test::TempFolder m_data;
    std::unique_ptr<AssembledRun> m_run;
};

TEST_F(TrainStepTest, FiguresBelongToTheGlobalBatch) {
    HostTrainStep step({*m_run->objective, *m_run->model, *m_run->runner, *m_run->optimizer});
    const auto before = weights();
    step.queue(batch(0), m_run->spec.optimizer, 1e-3);
    const StepResult result = step.finished(true).at(0);
    ASSERT_TRUE(result.applied);
    EXPECT_NE(weights(), before);
    int64_t tokens = 0;
    for (const SampleSlot& slot : batch(0).plan.slots)
        tokens += slot.length;
    EXPECT_EQ(result.figures.tokens, tokens);
    EXPECT_EQ(result.figures.masked, result.figures.scored);
    EXPECT_NEAR(result.figures.loss, std::log(258), 0.3);
    EXPECT_NEAR(result.figures.crossEntropySum / static_cast<double>(result.figures.scored), std::log(258), 0.3);
    EXPECT_GT(result.figures.gradNorm, 0);
    EXPECT_GT(result.figures.seconds, 0);
}

TEST_F(TrainStepTest, BatchWithNothingToScoreChangesNothing) {
    LoadedBatch empty = batch(0);
    for (SampleSlot& slot : empty.plan.slots)
        slot.length = 0;
    for (MicroBatch& micro : empty.microBatches)
        for (SampleSlot& slot : micro.slots)
            slot.length = 0;
    HostTrainStep step({*m_run->objective, *m_run->model, *m_run->runner, *m_run->optimizer});
    const auto before = weights();
    step.queue(empty, m_run->spec.optimizer, 1e-3);
    const StepResult result = step.finished(true).at(0);
    EXPECT_TRUE(result.applied);
    EXPECT_EQ(result.figures.loss, 0);
    EXPECT_EQ(result.figures.scored, 0);
    EXPECT_GT(result.figures.droppedSamples, 0);
    EXPECT_EQ(weights(), before);
    EXPECT_EQ(m_run->optimizer->updates(), 0);
}

// The loss may be finite while the norm is not: weights large enough to overflow in the backward pass alone.
TEST_F(TrainStepTest, InfiniteGradientHoldsTheUpdateBack) {
    HostTrainStep step({*m_run->objective, *m_run->model, *m_run->runner, *m_run->optimizer});
    class Overflow final : public Optimizer {
     public:
        explicit Overflow(Optimizer& real) : m_real(real) {}
        UpdateReport update(std::vector<Slab>& slabs, const OptimizerConfig& config, double rate) override {
            slabs.front().gradients[0].fill_(INFINITY);
            return m_real.update(slabs, config, rate);
        }
        std::vector<OptimizerState>& states() override { return m_real.states(); }
        int64_t updates() const override { return m_real.updates(); }
        void setUpdates(int64_t updates) override { m_real.setUpdates(updates); }

     private:
        Optimizer& m_real;
    } overflow(*m_run->optimizer);
    HostTrainStep broken({*m_run->objective, *m_run->model, *m_run->runner, overflow});
    const auto before = weights();
    broken.queue(batch(0), m_run->spec.optimizer, 1e-3);
    const StepResult result = broken.finished(true).at(0);
    EXPECT_FALSE(result.applied);
    ASSERT_EQ(result.failures.size(), 2u) << "a failed step is tried once more";
    EXPECT_EQ(result.failures.back().what, "non_finite_gradient");
    EXPECT_TRUE(std::isfinite(result.figures.loss));
    EXPECT_EQ(weights(), before);
    step.queue(batch(0), m_run->spec.optimizer, 1e-3);
    EXPECT_TRUE(step.finished(true).at(0).applied);
}

}  // namespace
}  // namespace unmask
