// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/step_time.h"

#include <algorithm>

#include "engine/planner/model_shape.h"

namespace unmask {

namespace {

constexpr double kGuessedFlopsPerCore = 80e9;  // AVX2 core of the last years at 2.5 GHz, fp32, dense product
constexpr double kStepEfficiency = 0.7;        // share of a step that is matrix products at that speed
constexpr double kAdamBytesPerSecond = 10e9;   // of 28 bytes a parameter, two cores' share of the memory
constexpr double kScoredShare = 0.5;           // of the rows, on average over noise levels

}  // namespace

double executedFlopsPerToken(const ModelConfig& model, BlockPolicy policy) {
    const double c = static_cast<double>(model.width);
    const double k = static_cast<double>(model.keyValueWidth());
    const double matrices = model.activation == ActivationKind::swiglu ? 3 : 2;
    const double queries = 2 * c * c + matrices * c * static_cast<double>(model.feedForwardWidth);
    const double keys = 2 * c * k;
    // Forward 2 products, backward 5: 14 / 12 of the model's formula.
    const double attention = 14 * c * static_cast<double>(model.sequenceLength);
    const double full = static_cast<double>(model.layers - 1) + kScoredShare;  // blocks with queries everywhere
    const double passes = policy == BlockPolicy::recompute ? 8 : 6;
    const double blocks = passes * (full * queries + static_cast<double>(model.layers) * keys) + full * attention;
    return blocks + 6 * kScoredShare * static_cast<double>(model.vocabularySize) * c;
}

std::optional<double> matrixFlopsPerSecond(const RunSpec& spec, const Hardware& hardware) {
    if (!hardware.cores || *hardware.cores < 1)
        return std::nullopt;
    const double cores = static_cast<double>(*hardware.cores);
    const int64_t wanted = spec.training.threads > 0 ? spec.training.threads : *hardware.cores;
    const double used = std::min(cores, static_cast<double>(wanted));
    const double all = hardware.matrixFlopsPerSecond.value_or(cores * kGuessedFlopsPerCore);
    const double speed = spec.training.precision == Precision::fp64 ? 0.5 : 1.0;
    return all * used / cores * speed;
}

std::optional<double> estimateSecondsPerStep(const RunSpec& spec, const ModelConfig& model, const Hardware& hardware) {
    const auto speed = matrixFlopsPerSecond(spec, hardware);
    if (!speed || spec.training.device == DeviceChoice::cuda)
        return std::nullopt;
    const BlockPolicy policy = blockPolicy(spec.parallel.activationCheckpointing);
    const double tokens = static_cast<double>(spec.training.batchSize * model.sequenceLength);
    const double products = tokens * executedFlopsPerToken(model, policy) / (*speed * kStepEfficiency);
    const double adam = 28.0 * static_cast<double>(countParameters(model).total) / kAdamBytesPerSecond;
    return products + adam;
}

}  // namespace unmask
