// SPDX-License-Identifier: Apache-2.0
#include "engine/train/train_step.h"

#include <ATen/ops/sum.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/eval/model_input.h"
#include "engine/model/expert_load.h"
#include "engine/train/gpu_train_step.h"

namespace unmask {

std::unique_ptr<TrainStep> makeTrainStep(const TrainParts& parts) {
    if (parts.model.device().is_cuda())
        return std::make_unique<GpuTrainStep>(parts);
    return std::make_unique<HostTrainStep>(parts);
}

StepFigures plannedFigures(const BatchFigures& batch, double rate) {
    StepFigures figures;
    figures.maskable = batch.maskable;
    figures.tokens = batch.maskable;
    figures.droppedSamples = batch.droppedSamples;
    figures.learningRate = rate;
    return figures;
}

namespace {

int64_t tokensOf(const std::vector<SampleSlot>& slots) {
    int64_t tokens = 0;
    for (const SampleSlot& slot : slots)
        tokens += slot.length;
    return tokens;
}

void addExpertFigures(const Transformer& model, StepFigures& figures) {
    const auto experts = expertFigures(model);
    if (!experts)
        return;
    figures.balanceLoss = experts->balanceLoss;
    figures.largestExpertShare = experts->largestShare;
    figures.droppedRoutes = experts->droppedShare;
    figures.limitedExperts = model.config().expertCapacity > 0;
}

}  // namespace

void HostTrainStep::queue(const LoadedBatch& batch, const OptimizerConfig& config, double rate) {
    StepResult result;
    result.applied = run(batch, config, rate, result) || run(batch, config, rate, result);
    m_done.push_back(std::move(result));
}

std::vector<StepResult> HostTrainStep::finished(bool) {
    return std::exchange(m_done, {});
}

bool HostTrainStep::run(const LoadedBatch& batch, const OptimizerConfig& config, double rate, StepResult& result) {
    const auto begin = SteadyClock::now();
    m_parts.objective.beginStep(batch.plan);
    StepFigures figures = plannedFigures(m_parts.objective.figures(), rate);
    accumulate(batch, figures);
    const auto heldBack = [&](const char* what) {
        result.failures.push_back({what, figures.loss, figures.gradNorm});
        result.figures = figures;
        return false;
    };
    if (!std::isfinite(figures.loss))
        return heldBack("non_finite_loss");
    if (figures.scored > 0) {  // nothing scored, nothing to learn: never 0/0
        ReplicaTraffic* const replicas = m_parts.replicas;
        const UpdateReport report =
            m_parts.optimizer.update(replicas ? replicas->owned() : m_parts.model.slabs(), config, rate);
        figures.gradNorm = report.gradientNorm;
        if (!report.applied)
            return heldBack("non_finite_gradient");
        addExpertFigures(m_parts.model, figures);
        stepExpertBiases(m_parts.model);
        if (replicas)
            replicas->shareValues();
    }
    figures.seconds = secondsSince(begin);
    result.figures = figures;
    return true;
}

// Gradients add up in the slabs, here and over the copies: weights of losses are divided by the global N.
void HostTrainStep::accumulate(const LoadedBatch& batch, StepFigures& figures) {
    ReplicaTraffic* const replicas = m_parts.replicas;
    if (replicas)
        replicas->beginStep(m_parts.stages ? 1 : static_cast<int64_t>(batch.microBatches.size()));
    else
        m_parts.model.zeroGradients();
    clearExpertLoads(m_parts.model);
    const auto tokens = static_cast<double>(std::max<int64_t>(1, tokensOf(batch.plan.slots)));
    if (m_parts.stages)
        accumulateInStages(batch, tokens, figures);
    else
        for (const MicroBatch& micro : batch.microBatches) {
            if (replicas)
                replicas->nextMicroBatch();
            accumulate(micro, static_cast<double>(tokensOf(micro.slots)) / tokens, figures);
        }
    finishGradients(figures);
}

void HostTrainStep::finishGradients(StepFigures& figures) {
    if (ReplicaTraffic* const replicas = m_parts.replicas) {
        replicas->finish();
        addUp(figures);
    }
    if (m_parts.stages)
        m_parts.stages->settleTied();
    if (m_parts.sharers)
        m_parts.sharers->settleRepeated();
}

// All micro-batches at once, since a stage works on several; gradients then go to the copies together.
void HostTrainStep::accumulateInStages(const LoadedBatch& batch, double tokens, StepFigures& figures) {
    std::vector<StageBatch> batches;
    for (const MicroBatch& micro : batch.microBatches) {
        const NoisyBatch noisy = m_parts.objective.corrupt(micro);
        figures.masked += noisy.masked;
        figures.scored += static_cast<int64_t>(noisy.maskedRows.size());
        StageBatch& own = batches.emplace_back();
        if (noisy.maskedRows.empty())
            continue;
        ModelInput input = modelInput(noisy, micro);
        own = {std::move(input.step), std::move(input.targets), std::move(input.weights)};
        own.input.share = static_cast<double>(tokensOf(micro.slots)) / tokens;
    }
    std::array sums{0.0, 0.0};
    for (const StepLoss& loss : m_parts.runner.forwardBackward(batches)) {
        sums[0] += loss.loss;
        sums[1] += at::sum(loss.rowLosses).item<double>();
    }
    m_parts.stages->group().sum(sums);  // of the last stage's and zeros
    figures.loss += sums[0];
    figures.crossEntropySum += sums[1];
    m_parts.replicas->nextMicroBatch();
    for (size_t slab = m_parts.model.slabs().size(); slab-- > 0;)
        m_parts.replicas->afterBackward(slab);
}

// The same figures on every rank, so that all find the same fault or none.
void HostTrainStep::addUp(StepFigures& figures) const {
    std::array sums{figures.loss, figures.crossEntropySum, static_cast<double>(figures.masked),
                    static_cast<double>(figures.scored)};
    m_parts.replicas->group().sum(sums);
    figures.loss = sums[0];
    figures.crossEntropySum = sums[1];
    figures.masked = static_cast<int64_t>(sums[2]);
    figures.scored = static_cast<int64_t>(sums[3]);
}

void HostTrainStep::accumulate(const MicroBatch& micro, double share, StepFigures& figures) {
    const NoisyBatch noisy = m_parts.objective.corrupt(micro);
    figures.masked += noisy.masked;
    if (noisy.maskedRows.empty())
        return m_parts.runner.passForwardBackward();
    ModelInput input = modelInput(noisy, micro);
    input.step.share = share;
    const StepLoss loss = m_parts.runner.forwardBackward(input.step, input.targets, input.weights);
    figures.loss += loss.loss;
    figures.crossEntropySum += at::sum(loss.rowLosses).item<double>();
    figures.scored += static_cast<int64_t>(noisy.maskedRows.size());
}

}  // namespace unmask
