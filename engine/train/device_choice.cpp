// SPDX-License-Identifier: Apache-2.0
#include "engine/train/device_choice.h"

#include <ATen/Parallel.h>

#include "engine/base/text.h"
#include "engine/ops/cpu_features.h"
#include "engine/ops/device.h"
#include "engine/ops/device_options.h"

namespace unmask {

namespace {

// Asking the driver takes long the first time, and the answer does not change.
const std::string& problemOfGpu() {
    static const std::string problem = gpuProblem();
    return problem;
}

bool onlyOnCpu(Precision precision) {
    return precision == Precision::fp64;
}

bool onlyOnGpu(Precision precision) {
    return precision != Precision::fp32 && precision != Precision::fp64;
}

void prepareCpu(const RunSpec& spec) {
    if (onlyOnGpu(spec.training.precision))
        throw Error{ErrorCode::badInput, "[train] " + std::string(wordOf(spec.training.precision)) +
                                             " needs a GPU, and " + problemOfGpu() +
                                             "; on the CPU training.precision is fp32 (or fp64 for tests)"};
    if (const std::string missing = missingCpuFeatures(); !missing.empty())
        throw Error{ErrorCode::hardware, "[train] " + missing};
    if (spec.training.threads > 0)
        at::set_num_threads(static_cast<int>(spec.training.threads));
}

at::ScalarType valueType(Precision precision) {
    switch (precision) {
        case Precision::fp64:
            return at::kDouble;
        case Precision::fp32:
            return at::kFloat;
        case Precision::fp16:
            return at::kHalf;
        case Precision::bf16:
        case Precision::fp8:
            return at::kBFloat16;
    }
    return at::kFloat;
}

}  // namespace

bool trainsOnGpu(const RunSpec& spec) {
    switch (spec.training.device) {
        case DeviceChoice::cpu:
            return false;
        case DeviceChoice::automatic:
            return !onlyOnCpu(spec.training.precision) && problemOfGpu().empty();
        case DeviceChoice::cuda:
            break;
    }
    if (onlyOnCpu(spec.training.precision))
        throw Error{ErrorCode::badInput, "[train] fp64 is computed on the CPU; set training.device to cpu or auto"};
    if (!problemOfGpu().empty())
        throw Error{ErrorCode::badInput,
                    "[train] " + problemOfGpu() + "; set training.device to cpu or auto to train on the CPU"};
    return true;
}

ModelStorage modelStorage(const RunSpec& spec, Gradients gradients) {
    ModelStorage storage;
    storage.type = valueType(spec.training.precision);
    storage.gradients = gradients;
    // Sums over several micro-batches in 16 bits would lose the small ones.
    const bool accumulates =
        spec.effectiveMicroBatch() * std::max<int64_t>(1, spec.parallel.dataParallelSize) < spec.training.batchSize;
    storage.gradientType = accumulates && onlyOnGpu(spec.training.precision) ? at::kFloat : storage.type;
    storage.device = trainsOnGpu(spec) ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    return storage;
}

void prepareDevice(const RunSpec& spec) {
    if (!trainsOnGpu(spec))
        return prepareCpu(spec);
    if (spec.training.precision == Precision::fp16 || spec.training.precision == Precision::fp8)
        throw Error{ErrorCode::badInput, "[train] " + std::string(wordOf(spec.training.precision)) +
                                             " is not trained yet; set training.precision to bf16 or fp32"};
    openGpu();
    deviceOptions().deterministic = spec.training.deterministic;
    deviceOptions().allowTf32 = spec.training.allowTf32;
}

std::string describeDevice(const RunSpec& spec) {
    if (trainsOnGpu(spec)) {
        const GpuInfo gpu = gpuInfo();
        return gpu.name + ", " + formatBytes(static_cast<double>(gpu.totalBytes));
    }
    const int64_t threads = spec.training.threads > 0 ? spec.training.threads : at::get_num_threads();
    return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

}  // namespace unmask
