// SPDX-License-Identifier: Apache-2.0
// Memory of one rank by part, and whether it fits.
#include <algorithm>
#include <string>

#include "engine/base/text.h"
#include "engine/planner/plan.h"

namespace unmask {

namespace {

constexpr int64_t kProgramBytes = 150LL << 20;     // LibTorch and its heaps: 125 MiB measured, and the loader
constexpr int64_t kGpuProgramBytes = 900LL << 20;  // context, kernels of the libraries, workspace of the products
constexpr double kUsableShare = 0.95;              // the rest is for what else runs

struct StateBytes {
    int64_t weight, gradient, optimizer;  // a parameter
};

StateBytes stateBytes(const RunSpec& spec) {
    switch (spec.training.precision) {
        case Precision::fp64:
            return {8, 8, 16};
        case Precision::fp32:
            return {4, 4, 8};
        case Precision::bf16:
        case Precision::fp16:
        case Precision::fp8:
            if (spec.optimizer.statePrecision == StatePrecision::bf16)
                return {2, 2, 4};  // bf16 moments alone
            return {2, 2, 12};     // fp32 master and moments
    }
    return {4, 4, 8};
}

int64_t slabElements(const ModelConfig& model) {
    int64_t sum = 0;
    for (const SlabShape& slab : slabShapes(model))
        sum += slab.elements;
    return sum;
}

StepShape stepShape(const RunSpec& spec, const ModelConfig& model, const PlanTarget& target) {
    StepShape shape;
    shape.rows = std::max<int64_t>(1, spec.effectiveMicroBatch());
    shape.length = std::max<int64_t>(1, model.sequenceLength / std::max<int64_t>(1, spec.parallel.contextParallelSize));
    shape.threads = std::max<int64_t>(1, target.threads);
    shape.elementBytes = stateBytes(spec).weight;
    shape.gpu = target.gpu;
    shape.fp8 = spec.training.precision == Precision::fp8;
    if (target.gpu)
        shape.scoredRows = scoredCapacity(shape.rows, shape.length);
    return shape;
}

// What kernels and cuDNN work in besides the arena: float gradients of the queries while attention goes back.
int64_t gpuScratchBytes(const ModelConfig& model, const StepShape& shape) {
    return shape.tokens() * model.width * 4 + (64LL << 20);
}

std::optional<double> freeOnGpu(const Hardware& hardware) {
    return hardware.gpus.empty() ? std::nullopt : hardware.gpus.front().freeMemoryBytes;
}

bool accumulates(const RunSpec& spec) {
    return spec.effectiveMicroBatch() * std::max<int64_t>(1, spec.parallel.dataParallelSize) < spec.training.batchSize;
}

std::string advice(const RunSpec& spec, const Hardware& hardware, double usable, bool chinese) {
    RunSpec smaller = spec;
    for (int64_t micro = spec.effectiveMicroBatch() / 2; micro >= 1; --micro) {
        if (spec.training.batchSize % (micro * std::max<int64_t>(1, spec.parallel.dataParallelSize)) != 0)
            continue;
        smaller.parallel.microBatchSize = micro;
        const double needed = static_cast<double>(planMemory(smaller, planTarget(spec, hardware)).total());
        if (needed > usable)
            continue;
        const std::string size = std::to_string(micro);
        const std::string bytes = formatBytes(needed);
        return chinese ? "可将微批大小设为 " + size + "（需要 " + bytes + "），或开启激活检查点。"
                       : "Try micro-batch " + size + " (" + bytes + "), or switch on activation checkpointing.";
    }
    return chinese ? "请选择更小的模型，或更短的序列。" : "Choose a smaller model or a shorter sequence.";
}

}  // namespace

PlanTarget planTarget(const RunSpec& spec, const Hardware& hardware) {
    const Precision precision = spec.training.precision;
    const bool onlyOnGpu = precision != Precision::fp32 && precision != Precision::fp64;
    PlanTarget target;
    target.threads = spec.training.threads > 0 ? spec.training.threads : hardware.cores.value_or(1);
    target.gpu = spec.training.device == DeviceChoice::cuda ||
                 (spec.training.device == DeviceChoice::automatic && precision != Precision::fp64 &&
                  (onlyOnGpu || (builtForGpus() && !hardware.gpus.empty())));
    return target;
}

bool builtForGpus() {
#ifdef UNMASK_GPU
    return true;
#else
    return false;
#endif
}

MemoryBytes planMemory(const RunSpec& spec, const PlanTarget& target) {
    const ModelConfig model = resolvedModel(spec);
    StateBytes state = stateBytes(spec);
    if (target.gpu && accumulates(spec))
        state.gradient = std::max<int64_t>(state.gradient, 4);  // sums over micro-batches are kept in float
    const int64_t shards = std::max<int64_t>(1, spec.parallel.tensorParallelSize * spec.parallel.pipelineStages);
    const int64_t copies = std::max<int64_t>(1, spec.parallel.dataParallelSize);
    const int64_t elements = slabElements(model) / shards;
    const auto divided = [&](int64_t bytes, int64_t fromStage) {
        return spec.parallel.zeroStage >= fromStage ? bytes / copies : bytes;
    };
    MemoryBytes memory;
    memory.weights = divided(elements * state.weight, 3);
    memory.gradients = divided(elements * state.gradient, 2);
    memory.optimizer = divided(elements * state.optimizer, 1);
    const StepShape shape = stepShape(spec, model, target);
    const StepMemory step = stepMemory(model, shape, blockPolicy(spec.parallel.activationCheckpointing));
    memory.activations = step.activations / shards;
    memory.logits = step.logits;
    memory.buffers = step.buffers;
    memory.overhead = kProgramBytes;
    if (target.gpu) {
        memory.buffers += gpuScratchBytes(model, shape);
        memory.overhead = kGpuProgramBytes;
    }
    return memory;
}

MemoryVerdict memoryFits(const RunSpec& spec, const Hardware& hardware) {
    MemoryVerdict verdict;
    const PlanTarget target = planTarget(spec, hardware);
    const MemoryBytes memory = planMemory(spec, target);
    const double needed = static_cast<double>(memory.total());
    const std::string need = formatBytes(needed);
    verdict.freeBytes = target.gpu ? freeOnGpu(hardware) : hardware.availableMemoryBytes;
    if (!verdict.freeBytes) {
        verdict.en = "Needs " + need + "; how much memory is free is unknown.";
        verdict.zh = "需要 " + need + "；可用内存未知。";
        return verdict;
    }
    const std::string free = formatBytes(*verdict.freeBytes);
    const double usable = *verdict.freeBytes * kUsableShare;
    verdict.fits = needed <= usable;
    if (*verdict.fits) {
        verdict.en = "Needs " + need + "; " + free + " are free.";
        verdict.zh = "需要 " + need + "；可用 " + free + "。";
        return verdict;
    }
    const std::string activations = formatBytes(static_cast<double>(memory.activations));
    verdict.en = "Needs " + need + " of memory, of which " + activations + " for activations, but " + free +
                 " are free. " + advice(spec, hardware, usable, false);
    verdict.zh = "需要 " + need + " 内存，其中激活占 " + activations + "，但可用 " + free + "。" +
                 advice(spec, hardware, usable, true);
    return verdict;
}

}  // namespace unmask
