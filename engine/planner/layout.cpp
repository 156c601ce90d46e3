// SPDX-License-Identifier: Apache-2.0
// What stands in the way of a layout: the rules, and what this version of the engine can carry out.
#include <string>

#include "engine/planner/layout_rules.h"
#include "engine/planner/plan.h"

namespace unmask {

namespace {

class Problems {
 public:
    void error(const std::string& path, const std::string& en, const std::string& zh) {
        m_list.push_back({path, Severity::error, en, zh});
    }
    std::vector<Problem> take() { return std::move(m_list); }

 private:
    std::vector<Problem> m_list;
};

void checkAvailable(const RunSpec& spec, bool gpuBuild, Problems& problems) {
    const ParallelConfig& parallel = spec.parallel;
    if (parallel.contextParallelSize > 1)
        problems.error("parallel.context_parallel_size",
                       "This version does not share rows of tokens between devices; set this to 1.",
                       "此版本不支持在设备之间分担 token 行；请设为 1。");
    if (parallel.pipelineStages > 1 && parallel.schedule == PipelineSchedule::zeroBubble &&
        parallel.activationCheckpointing != Checkpointing::none)
        problems.error("parallel.activation_checkpointing",
                       "The zero-bubble schedule puts weight gradients off and needs all activations kept; set this to "
                       "none, or choose another schedule.",
                       "零气泡调度推迟权重梯度，需保留全部激活；请设为 none，或选择其他调度。");
    if (parallel.sequenceParallel && parallel.tensorParallelSize > 1)
        problems.error("parallel.sequence_parallel",
                       "This version does not share tokens between the products of tensor parallel; switch this off.",
                       "此版本不支持在张量并行的乘积之间分担 token；请关闭此项。");
    if (parallel.worldSize() > 1 && spec.training.device != DeviceChoice::cpu && gpuBuild)
        problems.error(
            "parallel.data_parallel_size",
            "This version shares a run between processes on the CPU alone; choose the device cpu, or set all "
            "parallel sizes to 1.",
            "此版本只能在 CPU 进程间共享一次运行；请选择设备 cpu，或将所有并行大小设为 1。");
    if (parallel.worldSize() > 1 && spec.model.experts > 0)
        problems.error("parallel.data_parallel_size", "A model with experts trains on one device in this version.",
                       "此版本中，带专家的模型只能在单个设备上训练。");
    if (spec.training.device == DeviceChoice::cuda && !gpuBuild)
        problems.error("training.device", "This build computes on the CPU; choose cpu or auto.",
                       "此构建在 CPU 上计算；请选择 cpu 或 auto。");
    const bool full = spec.training.precision == Precision::fp32 || spec.training.precision == Precision::fp64;
    if (!full && (!gpuBuild || spec.training.device == DeviceChoice::cpu)) {
        const std::string word(wordOf(spec.training.precision));
        problems.error("training.precision", word + " needs a GPU; the CPU computes in fp32 or fp64.",
                       word + " 需要 GPU；CPU 使用 fp32 或 fp64 计算。");
    }
}

}  // namespace

std::vector<Problem> engineLimits(const RunSpec& spec, bool gpuBuild) {
    Problems problems;
    checkAvailable(spec, gpuBuild, problems);
    return problems.take();
}

std::vector<Problem> layoutProblems(const RunSpec& spec) {
    std::vector<Problem> all = layoutRules(spec);
    for (Problem& problem : engineLimits(spec, builtForGpus()))
        all.push_back(std::move(problem));
    return all;
}

}  // namespace unmask
