// SPDX-License-Identifier: Apache-2.0
// Memory of one rank by part, and whether it fits.
#include <algorithm>
#include <string>

#include "engine/base/text.h"
#include "engine/planner/layout_memory.h"
#include "engine/planner/plan.h"

namespace unmask {

namespace {

constexpr double kUsableShare = 0.95;  // the rest is for what else runs

std::optional<double> freeOnGpu(const Hardware& hardware) {
    return hardware.gpus.empty() ? std::nullopt : hardware.gpus.front().freeMemoryBytes;
}

// On this computer: ranks of a CPU share its memory, each GPU has its own.
double neededHere(const RunSpec& spec, const PlanTarget& target) {
    const std::vector<StageMemory> stages = layoutMemory(spec, target);
    const int64_t ranksOfStage = std::max<int64_t>(1, spec.parallel.worldSize() / static_cast<int64_t>(stages.size()));
    double sum = 0;
    double most = 0;
    for (const StageMemory& stage : stages) {
        const auto bytes = static_cast<double>(stage.bytes.total());
        sum += bytes * static_cast<double>(ranksOfStage);
        most = std::max(most, bytes);
    }
    return target.gpu ? most : sum;
}

std::string advice(const RunSpec& spec, const Hardware& hardware, double usable, bool chinese) {
    RunSpec smaller = spec;
    for (int64_t micro = spec.effectiveMicroBatch() / 2; micro >= 1; --micro) {
        if (spec.training.batchSize % (micro * std::max<int64_t>(1, spec.parallel.dataParallelSize)) != 0)
            continue;
        smaller.parallel.microBatchSize = micro;
        const double needed = neededHere(smaller, planTarget(spec, hardware));
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
    const int64_t cores = spec.training.threads > 0 ? spec.training.threads : hardware.cores.value_or(1);
    target.threads = std::max<int64_t>(1, cores / std::max<int64_t>(1, spec.parallel.worldSize()));
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
    const std::vector<StageMemory> stages = layoutMemory(spec, target);
    return std::max_element(
               stages.begin(), stages.end(),
               [](const StageMemory& a, const StageMemory& b) { return a.bytes.total() < b.bytes.total(); })
        ->bytes;
}

MemoryVerdict memoryFits(const RunSpec& spec, const Hardware& hardware) {
    MemoryVerdict verdict;
    const PlanTarget target = planTarget(spec, hardware);
    const double needed = neededHere(spec, target);
    const bool together = !target.gpu && spec.parallel.worldSize() > 1;
    const std::string ranks = std::to_string(spec.parallel.worldSize());
    const std::string need = formatBytes(needed) + (together ? " in " + ranks + " processes" : "");
    const std::string needZh = (together ? ranks + " 个进程共 " : "") + formatBytes(needed);
    verdict.freeBytes = target.gpu ? freeOnGpu(hardware) : hardware.availableMemoryBytes;
    if (!verdict.freeBytes) {
        verdict.en = "Needs " + need + "; how much memory is free is unknown.";
        verdict.zh = "需要 " + needZh + "；可用内存未知。";
        return verdict;
    }
    const std::string free = formatBytes(*verdict.freeBytes);
    const double usable = *verdict.freeBytes * kUsableShare;
    verdict.fits = needed <= usable;
    if (*verdict.fits) {
        verdict.en = "Needs " + need + "; " + free + " are free.";
        verdict.zh = "需要 " + needZh + "；可用 " + free + "。";
        return verdict;
    }
    const std::string activations = formatBytes(static_cast<double>(planMemory(spec, target).activations));
    const std::string each = together ? " each" : "";
    verdict.en = "Needs " + need + " of memory, of which " + activations + each + " for activations, but " + free +
                 " are free. " + advice(spec, hardware, usable, false);
    verdict.zh = "需要 " + needZh + " 内存，其中激活" + (together ? "各" : "") + "占 " + activations + "，但可用 " +
                 free + "。" + advice(spec, hardware, usable, true);
    return verdict;
}

}  // namespace unmask
