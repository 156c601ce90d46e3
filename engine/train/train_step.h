// SPDX-License-Identifier: Apache-2.0
// One update: corrupt, forward, loss and backward for each micro-batch, then clip and optimizer. A step whose loss or
// gradient norm is not finite changes nothing; it is tried once more, to tell a passing fault from a lasting one.
#pragma once

#include "engine/data/batch_loader.h"
#include "engine/metrics/recorder.h"
#include "engine/objective/objective.h"
#include "engine/optimizer/optimizer.h"
#include "engine/runtime/chain_runner.h"

namespace unmask {

class TrainStep {
 public:
    TrainStep(Objective& objective, Transformer& model, ChainRunner& runner, Optimizer& optimizer)
        : m_objective(objective), m_model(model), m_runner(runner), m_optimizer(optimizer) {}

    // Weights and optimizer state change only when `finite` comes back true.
    struct Result {
        StepFigures figures;
        bool finite = true;
        std::string whatIsNot;  // "non_finite_loss" or "non_finite_gradient"
    };
    Result run(const LoadedBatch& batch, const OptimizerConfig& config, double rate);

 private:
    void accumulate(const MicroBatch& micro, StepFigures& figures);

    Objective& m_objective;
    Transformer& m_model;
    ChainRunner& m_runner;
    Optimizer& m_optimizer;
};

}  // namespace unmask
