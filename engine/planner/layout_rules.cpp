// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/layout_rules.h"

#include <algorithm>

#include "engine/planner/model_shape.h"
#include "engine/planner/plan.h"

namespace unmask {

namespace {

constexpr const char* kData = "parallel.data_parallel_size";
constexpr const char* kTensor = "parallel.tensor_parallel_size";
constexpr const char* kPipeline = "parallel.pipeline_stages";
constexpr const char* kContext = "parallel.context_parallel_size";
constexpr const char* kExpert = "parallel.expert_parallel_size";
constexpr const char* kZero = "parallel.zero_stage";
constexpr const char* kMicro = "parallel.micro_batch_size";

std::string number(int64_t value) {
    return std::to_string(value);
}

class Rules {
 public:
    void error(const char* path, const std::string& en, const std::string& zh) {
        m_list.push_back({path, Severity::error, en, zh});
    }
    void warning(const char* path, const std::string& en, const std::string& zh) {
        m_list.push_back({path, Severity::warning, en, zh});
    }
    // Reports where `parts` does not divide `whole`.
    void divides(const char* path, int64_t parts, int64_t whole, const std::string& en, const std::string& zh) {
        if (parts > 1 && whole % parts != 0)
            error(path, number(parts) + " does not divide the " + number(whole) + " " + en + ".",
                  number(parts) + " 不能整除 " + number(whole) + " " + zh + "。");
    }
    std::vector<Problem> take() { return std::move(m_list); }

 private:
    std::vector<Problem> m_list;
};

void checkTensor(const RunSpec& spec, Rules& rules) {
    const ModelConfig model = resolvedModel(spec);
    const int64_t parts = spec.parallel.tensorParallelSize;
    rules.divides(kTensor, parts, model.heads, "attention heads", "个注意力头");
    if (model.effectiveKeyValueHeads() != model.heads)
        rules.divides(kTensor, parts, model.effectiveKeyValueHeads(), "key and value heads", "个键值头");
    rules.divides(kTensor, parts, model.feedForwardWidth, "columns of the feed-forward part", "列前馈宽度");
    if (model.experts > 0)
        rules.divides(kTensor, parts, model.effectiveExpertWidth(), "columns of an expert", "列专家宽度");
    rules.divides(kTensor, parts, model.vocabularySize, "rows of the vocabulary", "行词表");
    if (!spec.parallel.sequenceParallel)
        return;
    if (parts == 1)
        rules.warning("parallel.sequence_parallel",
                      "Sequence parallel shares tokens among tensor-parallel devices; there is one.",
                      "序列并行在张量并行设备之间分担 token；目前只有一个设备。");
    rules.divides("parallel.sequence_parallel", parts,
                  model.sequenceLength / std::max<int64_t>(1, spec.parallel.contextParallelSize), "tokens of a row",
                  "个 token 的行");
}

int64_t microBatches(const RunSpec& spec) {
    const int64_t together = spec.effectiveMicroBatch() * spec.parallel.dataParallelSize;
    return together > 0 ? spec.training.batchSize / together : 1;
}

void checkPipeline(const RunSpec& spec, Rules& rules) {
    const ParallelConfig& parallel = spec.parallel;
    const bool cutUp = parallel.schedule == PipelineSchedule::interleaved;
    const int64_t pieces = parallel.pipelineStages * (cutUp ? parallel.virtualStages : 1);
    if (cutUp && parallel.virtualStages > 1 && parallel.pipelineStages > 1 && spec.model.layers % pieces != 0)
        rules.error("parallel.virtual_stages",
                    number(parallel.pipelineStages) + " stages of " + number(parallel.virtualStages) +
                        " chunks do not divide the " + number(spec.model.layers) + " layers.",
                    number(parallel.pipelineStages) + " 个阶段、每阶段 " + number(parallel.virtualStages) +
                        " 块不能整除 " + number(spec.model.layers) + " 层。");
    else
        rules.divides(kPipeline, parallel.pipelineStages, spec.model.layers, "layers", "层");
    if (!cutUp && parallel.virtualStages > 1)
        rules.error("parallel.virtual_stages", "Only the interleaved schedule has more than one chunk a stage.",
                    "只有交错调度的每阶段可有多块。");
    if (parallel.pipelineStages == 1)
        return;
    const int64_t micro = microBatches(spec);
    if (cutUp && micro % parallel.pipelineStages != 0)
        rules.error(
            "parallel.schedule",
            "The interleaved schedule wants its " + number(parallel.pipelineStages) + " stages to divide the " +
                number(micro) + " micro-batches of a step.",
            "交错调度要求 " + number(parallel.pipelineStages) + " 个阶段整除每步的 " + number(micro) + " 个微批。");
    else if (micro < parallel.pipelineStages)
        rules.warning(kMicro,
                      "A step has " + number(micro) + " micro-batches for " + number(parallel.pipelineStages) +
                          " stages, so stages wait for each other; smaller micro-batches fill the pipeline.",
                      "每步 " + number(micro) + " 个微批对应 " + number(parallel.pipelineStages) +
                          " 个阶段，各阶段会相互等待；更小的微批可填满流水线。");
    if (parallel.zeroStage >= 2)
        rules.error(kZero,
                    "ZeRO-" + number(parallel.zeroStage) +
                        " would move weights or gradients for each of the micro-batches in a pipeline; with stages "
                        "choose ZeRO-1.",
                    "在流水线中 ZeRO-" + number(parallel.zeroStage) +
                        " 需为每个微批搬运权重或梯度；有多个阶段时请选择 ZeRO-1。");
}

void checkData(const RunSpec& spec, Rules& rules) {
    const ParallelConfig& parallel = spec.parallel;
    const int64_t batch = spec.training.batchSize;
    rules.divides(kContext, parallel.contextParallelSize, spec.model.sequenceLength, "tokens of a row",
                  "个 token 的行");
    if (batch % parallel.dataParallelSize != 0)
        rules.divides(kData, parallel.dataParallelSize, batch, "rows of the batch", "行的批");
    else if (parallel.microBatchSize > 0 && batch % (parallel.microBatchSize * parallel.dataParallelSize) != 0) {
        const std::string share = number(parallel.microBatchSize) + " × " + number(parallel.dataParallelSize);
        rules.error(
            kMicro,
            "A batch of " + number(batch) + " rows does not divide into micro-batches × copies of " + share + ".",
            "批的 " + number(batch) + " 行不能按微批 × 副本数 " + share + " 均分。");
    }
    if (parallel.zeroStage > 0 && parallel.dataParallelSize == 1)
        rules.warning(kZero, "ZeRO shares state among the copies of data parallel; there is one.",
                      "ZeRO 在数据并行副本之间分担状态；目前只有一个副本。");
}

void checkExperts(const RunSpec& spec, Rules& rules) {
    const int64_t parts = spec.parallel.expertParallelSize;
    if (parts == 1)
        return;
    if (spec.model.experts == 0) {
        rules.error(kExpert, "The model has no experts; set this to 1.", "模型没有专家；请设为 1。");
        return;
    }
    rules.divides(kExpert, parts, spec.model.experts, "experts", "个专家");
    if (spec.parallel.dataParallelSize % parts != 0)
        rules.error(kExpert,
                    "Experts are shared out among the copies of data parallel: " + number(parts) +
                        " does not divide the " + number(spec.parallel.dataParallelSize) + " copies.",
                    "专家分布在数据并行的副本之间：" + number(parts) + " 不能整除 " +
                        number(spec.parallel.dataParallelSize) + " 个副本。");
}

// Sizes below 1 come from forms half filled in; nothing can be divided by them.
bool countable(const RunSpec& spec) {
    const ParallelConfig& parallel = spec.parallel;
    return std::min({parallel.dataParallelSize, parallel.tensorParallelSize, parallel.pipelineStages,
                     parallel.contextParallelSize, parallel.expertParallelSize, parallel.virtualStages}) >= 1 &&
           parallel.microBatchSize >= 0 &&
           std::min({spec.model.heads, spec.model.layers, spec.model.sequenceLength}) >= 1 &&
           spec.training.batchSize >= 1;
}

// Where the run would be computed if it were started on such machines.
RunSpec specOn(const RunSpec& spec, const MachineSet& machines) {
    RunSpec there = spec;
    there.training.device = machines.gpu ? DeviceChoice::cuda : DeviceChoice::cpu;
    return there;
}

}  // namespace

std::vector<Problem> layoutRules(const RunSpec& spec) {
    Rules rules;
    if (!countable(spec)) {
        rules.error("parallel", "Sizes of a layout begin at 1.", "布局的各个大小至少为 1。");
        return rules.take();
    }
    checkTensor(spec, rules);
    checkPipeline(spec, rules);
    checkData(spec, rules);
    checkExperts(spec, rules);
    return rules.take();
}

std::vector<Problem> machineRules(const ParallelConfig& parallel, const MachineSet& machines) {
    Rules rules;
    const std::string ranks = number(parallel.worldSize());
    const std::string devices = number(machines.devices());
    if (!machines.gpu && parallel.worldSize() > machines.devices())
        rules.warning("parallel", ranks + " processes share " + devices + " cores, so they wait for each other.",
                      ranks + " 个进程共用 " + devices + " 个核，会相互等待。");
    else if (parallel.worldSize() > machines.devices())
        rules.error("parallel", "The layout needs " + ranks + " devices; there are " + devices + ".",
                    "该布局需要 " + ranks + " 个设备；现有 " + devices + " 个。");
    else if (machines.gpu && parallel.worldSize() < machines.devices())
        rules.warning("parallel", "The layout uses " + ranks + " of " + devices + " devices; the rest stay idle.",
                      "该布局使用 " + devices + " 个设备中的 " + ranks + " 个；其余闲置。");
    const int64_t tensor = parallel.tensorParallelSize;
    if (tensor > 1 && &machines.linkOf(1, tensor) == &machines.between)
        rules.warning(kTensor,
                      "Tensor parallel over " + number(tensor) + " devices leaves the node of " +
                          number(machines.devicesPerNode) + ": every block waits for the network.",
                      "跨 " + number(tensor) + " 个设备的张量并行超出了 " + number(machines.devicesPerNode) +
                          " 个设备的节点：每一块都要等待网络。");
    return rules.take();
}

std::vector<Problem> engineLimits(const RunSpec& spec, const MachineSet& machines) {
    return engineLimits(specOn(spec, machines), machines.gpu || builtForGpus());
}

bool isLegalLayout(const RunSpec& spec, const MachineSet* machines, Reach reach) {
    if (hasErrors(layoutRules(spec)) || (machines && hasErrors(machineRules(spec.parallel, *machines))))
        return false;
    if (reach == Reach::legal)
        return true;
    return !hasErrors(machines ? engineLimits(spec, *machines) : engineLimits(spec, builtForGpus()));
}

std::vector<int64_t> legalSizes(const RunSpec& spec, std::string_view path, int64_t most) {
    std::vector<int64_t> sizes;
    RunSpec alone = spec;  // other sizes must not decide about this one
    for (int64_t size = 1; size <= most; ++size) {
        alone.parallel = ParallelConfig{};
        ParallelConfig& parallel = alone.parallel;
        if (path == kTensor)
            parallel.tensorParallelSize = size;
        else if (path == kPipeline)
            parallel.pipelineStages = size;
        else if (path == kContext)
            parallel.contextParallelSize = size;
        else
            parallel.dataParallelSize = size;
        if (path == kExpert)
            parallel.expertParallelSize = size;
        if (path == kExpert && size > 1)
            alone.training.batchSize = size;
        if (!hasErrors(layoutRules(alone)))
            sizes.push_back(size);
    }
    return sizes;
}

Sentence layoutWords(const ParallelConfig& parallel) {
    Sentence words;
    const auto add = [&](int64_t size, const char* en, const char* zh) {
        if (size == 1)
            return;
        const std::string times = words.en.empty() ? "" : " × ";
        words.en += times + en + " " + number(size);
        words.zh += times + zh + " " + number(size);
    };
    add(parallel.dataParallelSize, "data", "数据");
    add(parallel.tensorParallelSize, "tensor", "张量");
    add(parallel.pipelineStages, "pipeline", "流水线");
    add(parallel.contextParallelSize, "context", "上下文");
    if (words.en.empty())
        words = {"one device", "单个设备"};
    const auto addition = [&](const std::string& en, const std::string& zh) {
        words.en += ", " + en;
        words.zh += "，" + zh;
    };
    if (parallel.expertParallelSize > 1)
        addition("experts over " + number(parallel.expertParallelSize), "专家 " + number(parallel.expertParallelSize));
    if (parallel.zeroStage > 0 && parallel.dataParallelSize > 1)
        addition("ZeRO-" + number(parallel.zeroStage), "ZeRO-" + number(parallel.zeroStage));
    if (parallel.activationCheckpointing == Checkpointing::full)
        addition("blocks recomputed", "重算整块");
    else if (parallel.activationCheckpointing == Checkpointing::selective)
        addition("cheap parts recomputed", "重算便宜部分");
    return words;
}

}  // namespace unmask
