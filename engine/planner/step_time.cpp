// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/step_time.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "engine/planner/model_shape.h"
#include "engine/planner/plan.h"

namespace unmask {

namespace {

constexpr double kGuessedFlopsPerCore = 80e9;  // AVX2 core of the last years at 2.5 GHz, fp32, dense product
constexpr double kStepEfficiency = 0.7;        // share of a step that is matrix products at that speed
constexpr double kAdamBytesPerSecond = 10e9;   // of 28 bytes a parameter, two cores' share of the memory
constexpr double kScoredShare = 0.5;           // of the rows, on average over noise levels

// Dense bfloat16 products, as the makers state them.
struct GpuSpeed {
    std::string_view name;
    double flopsPerSecond;
};
constexpr std::array kGpus{GpuSpeed{"H200", 989e12}, GpuSpeed{"H100", 989e12}, GpuSpeed{"A100", 312e12}};
constexpr double kGpuStepEfficiency = 0.52;  // measured on an H200: 0.47 (6×512) to 0.55 (24×1024)
constexpr double kGpuAdamBytesPerSecond = 3.7e12;
constexpr double kProductShare = 0.72;  // of the stated speed, products of the presets' widths on an H200
constexpr double kFp8ProductShare = 1.26;
constexpr double kFp8BytesAValue = 4;  // read in bf16, written twice

// What 8-bit products of the blocks save, less the passes that quantise their factors. May be negative for small
// widths.
double fp8SecondsSavedPerToken(const ModelConfig& model, double flopsPerSecond) {
    const double c = static_cast<double>(model.width);
    const double k = static_cast<double>(model.keyValueWidth());
    const double f = static_cast<double>(model.feedForwardWidth);
    const double matrices = model.activation == ActivationKind::swiglu ? 3 : 2;
    const double flops = 6 * (2 * c * c + 2 * c * k + matrices * c * f);
    const double products = flops / flopsPerSecond * (1 / kProductShare - 1 / kFp8ProductShare);
    const double quantised = kFp8BytesAValue * (6 * c + 2 * k + matrices * f);  // inputs and gradients of results
    return static_cast<double>(model.layers) * (products - quantised / kGpuAdamBytesPerSecond);
}

std::optional<double> gpuSecondsPerStep(const RunSpec& spec, const ModelConfig& model, const Hardware& hardware) {
    const Precision precision = spec.training.precision;
    const bool sixteenBits = precision == Precision::bf16 || precision == Precision::fp16;
    if (hardware.gpus.empty() || !(sixteenBits || precision == Precision::fp8))
        return std::nullopt;
    const std::string& name = hardware.gpus.front().name;
    const auto found = std::find_if(kGpus.begin(), kGpus.end(),
                                    [&](const GpuSpeed& gpu) { return name.find(gpu.name) != std::string::npos; });
    if (found == kGpus.end())
        return std::nullopt;
    const double tokens = static_cast<double>(spec.training.batchSize * model.sequenceLength);
    const double flops = tokens * executedFlopsPerToken(model, blockPolicy(spec.parallel.activationCheckpointing));
    const double stateBytes = spec.optimizer.statePrecision == StatePrecision::bf16 ? 14 : 28;
    const double saved = sixteenBits ? 0 : tokens * fp8SecondsSavedPerToken(model, found->flopsPerSecond);
    return flops / (found->flopsPerSecond * kGpuStepEfficiency) +
           stateBytes * static_cast<double>(countParameters(model).total) / kGpuAdamBytesPerSecond - saved;
}

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
    if (planTarget(spec, hardware).gpu)
        return gpuSecondsPerStep(spec, model, hardware);
    const auto speed = matrixFlopsPerSecond(spec, hardware);
    if (!speed)
        return std::nullopt;
    const BlockPolicy policy = blockPolicy(spec.parallel.activationCheckpointing);
    const double tokens = static_cast<double>(spec.training.batchSize * model.sequenceLength);
    const double products = tokens * executedFlopsPerToken(model, policy) / (*speed * kStepEfficiency);
    const double adam = 28.0 * static_cast<double>(countParameters(model).total) / kAdamBytesPerSecond;
    return products + adam;
}

}  // namespace unmask
