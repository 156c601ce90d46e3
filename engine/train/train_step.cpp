// SPDX-License-Identifier: Apache-2.0
#include "engine/train/train_step.h"

#include <ATen/ops/sum.h>

#include <algorithm>
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
    m_parts.model.zeroGradients();
    clearExpertLoads(m_parts.model);
    const auto tokens = static_cast<double>(std::max<int64_t>(1, tokensOf(batch.plan.slots)));
    for (const MicroBatch& micro : batch.microBatches)
        accumulate(micro, static_cast<double>(tokensOf(micro.slots)) / tokens, figures);  // gradients add up in the slabs; weights are divided by the global N
    const auto heldBack = [&](const char* what) {
        result.failures.push_back({what, figures.loss, figures.gradNorm});
        result.figures = figures;
        return false;
    };
    if (!std::isfinite(figures.loss))
        return heldBack("non_finite_loss");
    if (figures.scored > 0) {  // nothing scored, nothing to learn: never 0/0
        const UpdateReport report = m_parts.optimizer.update(m_parts.model.slabs(), config, rate);
        figures.gradNorm = report.gradientNorm;
        if (!report.applied)
            return heldBack("non_finite_gradient");
        addExpertFigures(m_parts.model, figures);
        stepExpertBiases(m_parts.model);
    }
    figures.seconds = secondsSince(begin);
    result.figures = figures;
    return true;
}

void HostTrainStep::accumulate(const MicroBatch& micro, double share, StepFigures& figures) {
    const NoisyBatch noisy = m_parts.objective.corrupt(micro);
    figures.masked += noisy.masked;
    if (noisy.maskedRows.empty())
        return;
    ModelInput input = modelInput(noisy, micro);
    input.step.share = share;
    const StepLoss loss = m_parts.runner.forwardBackward(input.step, input.targets, input.weights);
    figures.loss += loss.loss;
    figures.crossEntropySum += at::sum(loss.rowLosses).item<double>();
    figures.scored += static_cast<int64_t>(noisy.maskedRows.size());
}

}  // namespace unmask
