// SPDX-License-Identifier: Apache-2.0
// One update: corrupt, forward, loss and backward for each micro-batch, then clip and optimizer. A step whose loss or
// gradient norm is not finite changes nothing. On the CPU a step is done when it has been queued, and a failed one is
// tried once more, to tell a passing fault from a lasting one; on a GPU (gpu_train_step.h) figures come later.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/data/batch_loader.h"
#include "engine/metrics/recorder.h"
#include "engine/objective/objective.h"
#include "engine/optimizer/optimizer.h"
#include "engine/parallel/layer_sharers.h"
#include "engine/parallel/replica_traffic.h"
#include "engine/parallel/stage_chain.h"
#include "engine/runtime/chain_runner.h"

namespace unmask {

// A try whose update was held back.
struct HeldBack {
    std::string what;  // "non_finite_loss" or "non_finite_gradient"
    double loss = 0;
    double gradNorm = 0;
};

struct StepResult {
    StepFigures figures;
    std::vector<HeldBack> failures;  // in order
    bool applied = true;             // weights and optimizer state have changed, or nothing was scored
};

class TrainStep {
 public:
    virtual ~TrainStep() = default;
    virtual void queue(const LoadedBatch& batch, const OptimizerConfig& config, double rate) = 0;
    // Results of steps that are done, in the order in which they were queued; each comes once. `all` waits for them.
    virtual std::vector<StepResult> finished(bool all) = 0;
};

// The parts of a run that a step works on.
struct TrainParts {
    Objective& objective;
    Transformer& model;
    ChainRunner& runner;
    Optimizer& optimizer;
    ReplicaTraffic* replicas = nullptr;  // where copies of the model share each batch
    LayerSharers* sharers = nullptr;     // where devices share each layer
    StageChain* stages = nullptr;        // where devices hold the layers one after another
};
// The step of the device that the model lies on.
std::unique_ptr<TrainStep> makeTrainStep(const TrainParts& parts);

class HostTrainStep final : public TrainStep {
 public:
    explicit HostTrainStep(const TrainParts& parts) : m_parts(parts) {}
    void queue(const LoadedBatch& batch, const OptimizerConfig& config, double rate) override;
    std::vector<StepResult> finished(bool all) override;

 private:
    bool run(const LoadedBatch& batch, const OptimizerConfig& config, double rate, StepResult& result);
    void accumulate(const LoadedBatch& batch, StepFigures& figures);
    void accumulate(const MicroBatch& micro, double share, StepFigures& figures);
    void accumulateInStages(const LoadedBatch& batch, double tokens, StepFigures& figures);
    void finishGradients(StepFigures& figures);
    void addUp(StepFigures& figures) const;

    TrainParts m_parts;
    std::vector<StepResult> m_done;
};

// Figures that follow from the batch alone.
StepFigures plannedFigures(const BatchFigures& batch, double rate);

}  // namespace unmask
