// SPDX-License-Identifier: Apache-2.0
#include "engine/train/train_step.h"

#include <ATen/ops/sum.h>

#include <cmath>

#include "engine/eval/model_input.h"

namespace unmask {

TrainStep::Result TrainStep::run(const LoadedBatch& batch, const OptimizerConfig& config, double rate) {
    const auto begin = SteadyClock::now();
    Result result;
    StepFigures& figures = result.figures;
    m_objective.beginStep(batch.plan);
    figures.maskable = m_objective.figures().maskable;
    figures.tokens = figures.maskable;
    figures.droppedSamples = m_objective.figures().droppedSamples;
    figures.learningRate = rate;

    m_model.zeroGradients();
    for (const MicroBatch& micro : batch.microBatches)
        accumulate(micro, figures);  // gradients add up in the slabs; weights are divided by the global N
    if (!std::isfinite(figures.loss)) {
        result.finite = false;
        result.whatIsNot = "non_finite_loss";
    } else if (figures.scored > 0) {  // nothing scored, nothing to learn: never 0/0
        const UpdateReport report = m_optimizer.update(m_model.slabs(), config, rate);
        figures.gradNorm = report.gradientNorm;
        result.finite = report.applied;
        if (!report.applied)
            result.whatIsNot = "non_finite_gradient";
    }
    figures.seconds = secondsSince(begin);
    return result;
}

void TrainStep::accumulate(const MicroBatch& micro, StepFigures& figures) {
    const NoisyBatch noisy = m_objective.corrupt(micro);
    figures.masked += noisy.masked;
    if (noisy.maskedRows.empty())
        return;
    const ModelInput input = modelInput(noisy, micro);
    const StepLoss loss = m_runner.forwardBackward(input.step, input.targets, input.weights);
    figures.loss += loss.loss;
    figures.crossEntropySum += at::sum(loss.rowLosses).item<double>();
    figures.scored += static_cast<int64_t>(noisy.maskedRows.size());
}

}  // namespace unmask
