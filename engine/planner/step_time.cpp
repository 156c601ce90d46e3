// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/step_time.h"

#include <algorithm>

#include "engine/planner/known_devices.h"
#include "engine/planner/model_shape.h"
#include "engine/planner/plan.h"

namespace unmask {

namespace {

constexpr double kGuessedFlopsPerCore = 80e9;  // AVX2 core of the last years at 2.5 GHz, fp32, dense product
constexpr double kStepEfficiency = 0.7;        // share of a step that is matrix products at that speed
constexpr double kCpuBytesPerSecond = 20e9;    // of memory, two cores' share
constexpr double kScoredShare = 0.5;           // of the rows, on average over noise levels

constexpr double kGpuStepEfficiency = 0.52;  // measured on an H200: 0.47 (6×512) to 0.55 (24×1024)
constexpr double kGpuAdamBytesPerSecond = 3.7e12;
constexpr double kProductShare = 0.72;  // of the stated speed, products of the presets' widths on an H200
constexpr double kFp8ProductShare = 1.26;
constexpr double kTf32Share = 0.45;     // of the bfloat16 rate
constexpr double kFp32Share = 0.065;    // ordinary cores
constexpr double kGpuAdamShare = 0.77;  // of the memory's rate
constexpr double kCpuAdamShare = 0.5;
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
    if (hardware.gpus.empty() || precision == Precision::fp32 || precision == Precision::fp64)
        return std::nullopt;
    const GpuDescription& gpu = hardware.gpus.front();
    const KnownDevice* const known = knownDevice(gpu.name, gpu.memoryBytes.value_or(0));
    if (!known)
        return std::nullopt;
    const double tokens = static_cast<double>(spec.training.batchSize * model.sequenceLength);
    const double flops = tokens * executedFlopsPerToken(model, blockPolicy(spec.parallel.activationCheckpointing));
    return flops / stepFlopsPerSecond(spec, model, known->flopsPerSecond, true) +
           updateSeconds(spec, static_cast<double>(countParameters(model).total), known->memoryBytesPerSecond, true);
}

}  // namespace

PartFlops blockFlopsPerToken(const ModelConfig& model, BlockPolicy policy, int64_t layer) {
    const double c = static_cast<double>(model.width);
    const double k = static_cast<double>(model.keyValueWidth());
    const double queryShare = layer + 1 == model.layers ? kScoredShare : 1;  // only scored rows are queries there
    const double products = 2 * (queryShare * (2 * c * c + feedForwardWeightsPerToken(model, layer)) + 2 * c * k);
    // Forward 2 products, backward 5: 14 / 12 of the model's formula.
    const double attention = queryShare * c * static_cast<double>(model.sequenceLength);
    const double again = policy == BlockPolicy::recompute ? products : 0;
    return {products + 4 * attention, products + 10 * attention + again, products};
}

PartFlops headFlopsPerToken(const ModelConfig& model) {
    const double product = 2 * kScoredShare * static_cast<double>(model.vocabularySize * model.width);
    return {product, product, product};
}

double executedFlopsPerToken(const ModelConfig& model, BlockPolicy policy) {
    double flops = headFlopsPerToken(model).total();
    for (int64_t layer = 0; layer < model.layers; ++layer)
        flops += blockFlopsPerToken(model, policy, layer).total();
    return flops;
}

double stepFlopsPerSecond(const RunSpec& spec, const ModelConfig& model, double stated, bool gpu) {
    const Precision precision = spec.training.precision;
    if (!gpu)
        return stated * kStepEfficiency * (precision == Precision::fp64 ? 0.5 : 1);
    const double rate = stated * kGpuStepEfficiency;
    if (precision == Precision::fp32 || precision == Precision::fp64)
        return rate * (spec.training.allowTf32 ? kTf32Share : kFp32Share);
    if (precision != Precision::fp8)
        return rate;
    const double flops = executedFlopsPerToken(model, blockPolicy(spec.parallel.activationCheckpointing));
    const double seconds = flops / rate;
    return flops / std::max(0.3 * seconds, seconds - fp8SecondsSavedPerToken(model, stated));
}

double updateSeconds(const RunSpec& spec, double parameters, double bytesPerSecond, bool gpu) {
    const double stateBytes = gpu && spec.optimizer.statePrecision == StatePrecision::bf16 ? 14 : 28;
    return stateBytes * parameters / (bytesPerSecond * (gpu ? kGpuAdamShare : kCpuAdamShare));
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
    return products + updateSeconds(spec, static_cast<double>(countParameters(model).total), kCpuBytesPerSecond, false);
}

}  // namespace unmask
