// SPDX-License-Identifier: Apache-2.0
#include "engine/train/gpu_train_step.h"

#include <cmath>
#include <utility>

#include "engine/base/error.h"
#include "engine/eval/model_input.h"

namespace unmask {

namespace {

// Steps queued ahead: enough that the device never waits, few enough that a stop is heard soon.
constexpr size_t kAhead = 4;

GpuAdamW& onGpu(Optimizer& optimizer) {
    if (auto* gpu = dynamic_cast<GpuAdamW*>(&optimizer))
        return *gpu;
    throw Error{ErrorCode::internal, "[train] the optimizer does not work on a GPU"};
}

}  // namespace

GpuTrainStep::GpuTrainStep(const TrainParts& parts) : m_parts(parts), m_optimizer(onGpu(parts.optimizer)) {}

GpuTrainStep::~GpuTrainStep() {
    for (const Pending& each : m_pending)
        each.end.wait();
}

void GpuTrainStep::queue(const LoadedBatch& batch, const OptimizerConfig& config, double rate) {
    if (m_pending.size() >= kAhead)
        m_pending[m_pending.size() - kAhead].end.wait();
    Pending pending;
    if (m_pending.empty()) {
        pending.begin.emplace();
        pending.begin->record();
    }
    m_parts.objective.beginStep(batch.plan);
    pending.figures = plannedFigures(m_parts.objective.figures(), rate);
    for (const MicroBatch& micro : batch.microBatches) {
        const NoisyBatch noisy = m_parts.objective.corrupt(micro);
        pending.figures.masked += noisy.masked;
        if (noisy.maskedRows.empty())
            continue;
        const ModelInput input = modelInput(noisy, micro);
        m_parts.runner.queueForwardBackward(input.step, input.targets, input.weights, m_optimizer.step());
        pending.figures.scored += static_cast<int64_t>(noisy.maskedRows.size());
    }
    if (pending.figures.scored > 0)
        pending.record = m_optimizer.queueUpdate(m_parts.model.slabs(), config, rate);
    pending.end.record();
    m_pending.push_back(std::move(pending));
}

std::vector<StepResult> GpuTrainStep::finished(bool all) {
    if (all && !m_pending.empty())
        m_pending.back().end.wait();
    std::vector<StepResult> results;
    while (!m_pending.empty() && m_pending.front().end.reached()) {
        Pending& pending = m_pending.front();
        const GpuEvent& begin = pending.begin ? *pending.begin : *m_previousEnd;
        results.push_back(read(pending, pending.end.secondsSince(begin)));
        m_previousEnd = std::move(pending.end);
        m_pending.pop_front();
    }
    double ago = 0;
    for (auto result = results.rbegin(); result != results.rend(); ++result) {
        result->figures.ago = ago;
        ago += result->figures.seconds;
    }
    return results;
}

StepResult GpuTrainStep::read(const Pending& pending, double seconds) {
    StepResult result;
    result.figures = pending.figures;
    result.figures.seconds = seconds;
    if (pending.record == nullptr)
        return result;
    const StepRecord& record = *pending.record;
    result.figures.loss = record.loss;
    result.figures.crossEntropySum = record.crossEntropySum;
    result.figures.gradNorm = record.gradientNorm;
    result.applied = record.applied != 0;
    if (m_optimizer.scalesLoss())
        result.figures.lossScale = record.gradientScale;
    if (!result.applied) {
        m_optimizer.setUpdates(m_optimizer.updates() - 1);
        // An overflow of scaled gradients is how the scale finds its place, as long as there is room below.
        if (m_optimizer.scalesLoss() && std::isfinite(record.loss) && record.gradientScale > 1)
            return result;
        result.failures.push_back(
            {std::isfinite(record.loss) ? "non_finite_gradient" : "non_finite_loss", record.loss, record.gradientNorm});
    }
    return result;
}

}  // namespace unmask
