// SPDX-License-Identifier: Apache-2.0
// Which layouts are legal, with the reason in both languages, and what this version of the engine can carry out.
#include <string>

#include "engine/planner/model_shape.h"
#include "engine/planner/plan.h"

namespace unmask {

namespace {

class Problems {
 public:
    void error(const std::string& path, const std::string& en, const std::string& zh) {
        m_list.push_back({path, Severity::error, en, zh});
    }
    // Reports where `parts` does not divide `whole`.
    void divides(const std::string& path, int64_t parts, int64_t whole, const std::string& en, const std::string& zh) {
        if (parts < 1 || whole % parts == 0)
            return;
        const std::string p = std::to_string(parts);
        const std::string w = std::to_string(whole);
        error(path, p + " does not divide the " + w + " " + en + ".", p + " 不能整除 " + w + " " + zh + "。");
    }
    std::vector<Problem> take() { return std::move(m_list); }

 private:
    std::vector<Problem> m_list;
};

void checkDivisions(const RunSpec& spec, Problems& problems) {
    const ParallelConfig& parallel = spec.parallel;
    problems.divides("parallel.tensor_parallel_size", parallel.tensorParallelSize, spec.model.heads, "attention heads",
                     "个注意力头");
    problems.divides("parallel.tensor_parallel_size", parallel.tensorParallelSize, spec.model.effectiveKeyValueHeads(),
                     "key and value heads", "个键值头");
    problems.divides("parallel.pipeline_stages", parallel.pipelineStages, spec.model.layers, "layers", "层");
    problems.divides("parallel.context_parallel_size", parallel.contextParallelSize, spec.model.sequenceLength,
                     "tokens of a row", "个 token 的行");
    problems.divides("parallel.data_parallel_size", parallel.dataParallelSize, spec.training.batchSize,
                     "rows of the batch", "行的批");
    if (parallel.microBatchSize > 0 && parallel.dataParallelSize > 0 &&
        spec.training.batchSize % (parallel.microBatchSize * parallel.dataParallelSize) != 0) {
        const std::string batch = std::to_string(spec.training.batchSize);
        const std::string share =
            std::to_string(parallel.microBatchSize) + " × " + std::to_string(parallel.dataParallelSize);
        problems.error("parallel.micro_batch_size",
                       "A batch of " + batch + " rows does not divide into micro-batches × copies of " + share + ".",
                       "批的 " + batch + " 行不能按微批 × 副本数 " + share + " 均分。");
    }
}

void checkAvailable(const RunSpec& spec, Problems& problems) {
    const ParallelConfig& parallel = spec.parallel;
    if (parallel.worldSize() > parallel.dataParallelSize)
        problems.error("parallel",
                       "This version shares a run between copies of the model (data parallel and ZeRO); set tensor, "
                       "pipeline and context sizes to 1.",
                       "此版本只支持模型副本间的共享（数据并行与 ZeRO）；请将张量、流水线和上下文大小设为 1。");
    if (parallel.worldSize() > 1 && spec.training.device != DeviceChoice::cpu && builtForGpus())
        problems.error(
            "parallel.data_parallel_size",
            "This version shares a run between processes on the CPU alone; choose the device cpu, or set all "
            "parallel sizes to 1.",
            "此版本只能在 CPU 进程间共享一次运行；请选择设备 cpu，或将所有并行大小设为 1。");
    if (parallel.worldSize() > 1 && spec.model.experts > 0)
        problems.error("parallel.data_parallel_size", "A model with experts trains on one device in this version.",
                       "此版本中，带专家的模型只能在单个设备上训练。");
    if (spec.parallel.expertParallelSize > 1)
        problems.error("parallel.expert_parallel_size", "The model has no experts; set this to 1.",
                       "模型没有专家；请设为 1。");
    if (spec.training.device == DeviceChoice::cuda && !builtForGpus())
        problems.error("training.device", "This build computes on the CPU; choose cpu or auto.",
                       "此构建在 CPU 上计算；请选择 cpu 或 auto。");
    const bool full = spec.training.precision == Precision::fp32 || spec.training.precision == Precision::fp64;
    if (!full && (!builtForGpus() || spec.training.device == DeviceChoice::cpu)) {
        const std::string word(wordOf(spec.training.precision));
        problems.error("training.precision", word + " needs a GPU; the CPU computes in fp32 or fp64.",
                       word + " 需要 GPU；CPU 使用 fp32 或 fp64 计算。");
    }
}

}  // namespace

std::vector<Problem> layoutProblems(const RunSpec& spec) {
    Problems problems;
    checkDivisions(spec, problems);
    checkAvailable(spec, problems);
    return problems.take();
}

}  // namespace unmask
