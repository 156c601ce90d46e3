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

unsigned exactOpsOf(const std::string& names) {
    unsigned ops = 0;
    for (const std::string& name : splitList(names))
        for (size_t i = 0; i < kExactOpNames.size(); ++i)
            if (kExactOpNames[i] == name)
                ops |= 1u << i;
    return ops;
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
    storage.masters = spec.optimizer.statePrecision == StatePrecision::fp32;
    // Sums over several micro-batches in 16 bits would lose the small ones.
    const bool accumulates =
        spec.effectiveMicroBatch() * std::max<int64_t>(1, spec.parallel.dataParallelSize) < spec.training.batchSize;
    storage.gradientType = accumulates && onlyOnGpu(spec.training.precision) ? at::kFloat : storage.type;
    storage.fp8 = spec.training.precision == Precision::fp8 && gradients == Gradients::allocate;
    storage.device = trainsOnGpu(spec) ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    return storage;
}

void prepareDevice(const RunSpec& spec) {
    if (!trainsOnGpu(spec))
        return prepareCpu(spec);
    openGpu();
    if (spec.training.precision == Precision::fp8 && !gpuMultipliesFp8())
        throw Error{ErrorCode::badInput, "[train] " + gpuInfo().name +
                                             " has no 8-bit products (they come with compute capability 8.9); set "
                                             "training.precision to bf16"};
    deviceOptions().deterministic = spec.training.deterministic;
    deviceOptions().allowTf32 = spec.training.allowTf32;
    deviceOptions().exactOps = exactOpsOf(spec.training.exactOps);
    deviceOptions().graphs = deviceOptions().exactOps == 0;  // their copies are made anew in each step
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
