// SPDX-License-Identifier: Apache-2.0
// How the work is laid out over devices, with the field names people know from elsewhere. Accumulation is no field: it
// is batch_size / (micro_batch_size · data_parallel_size).
#pragma once

#include <cstdint>

#include "engine/protocol/field_spec.h"

namespace unmask {

enum class Checkpointing { none, selective, full };
template <>
struct Choices<Checkpointing> {
    static constexpr std::array list{Choice{Checkpointing::none, "none", {"Keep everything", "全部保留"}},
                                     Choice{Checkpointing::selective, "selective", {"Recompute cheap parts", "重算便宜部分"}},
                                     Choice{Checkpointing::full, "full", {"Recompute blocks", "重算整块"}}};
};

enum class PipelineSchedule { gpipe, oneForwardOneBackward, interleaved, zeroBubble };
template <>
struct Choices<PipelineSchedule> {
    static constexpr std::array list{
        Choice{PipelineSchedule::gpipe, "gpipe", {"GPipe", "GPipe"}},
        Choice{PipelineSchedule::oneForwardOneBackward, "1f1b", {"1F1B", "1F1B"}},
        Choice{PipelineSchedule::interleaved, "interleaved", {"Interleaved", "交错"}},
        Choice{PipelineSchedule::zeroBubble, "zero_bubble", {"Zero bubble", "零气泡"}}};
};

struct ParallelConfig {
    int64_t dataParallelSize = 1;
    int64_t tensorParallelSize = 1;
    int64_t pipelineStages = 1;
    int64_t contextParallelSize = 1;
    int64_t expertParallelSize = 1;
    int64_t zeroStage = 0;
    Checkpointing activationCheckpointing = Checkpointing::none;
    int64_t microBatchSize = 0;
    PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
    int64_t virtualStages = 1;
    bool sequenceParallel = false;

    int64_t worldSize() const {
        return dataParallelSize * tensorParallelSize * pipelineStages * contextParallelSize;
    }
    bool operator==(const ParallelConfig&) const = default;

    static constexpr auto fields = std::tuple{
        field("data_parallel_size", &ParallelConfig::dataParallelSize,
              {.label = {"Data parallel", "数据并行"},
               .help = {"Copies of the model, each with a part of the batch.", "模型副本数，各处理批的一部分。"},
               .min = 1, .max = 65536}),
        field("tensor_parallel_size", &ParallelConfig::tensorParallelSize,
              {.label = {"Tensor parallel", "张量并行"},
               .help = {"Devices that share each layer.", "共同承担每一层的设备数。"}, .min = 1, .max = 1024}),
        field("pipeline_stages", &ParallelConfig::pipelineStages,
              {.label = {"Pipeline stages", "流水线阶段"},
               .help = {"Devices that hold the layers one after another.", "依次存放各层的设备数。"},
               .min = 1, .max = 1024}),
        field("context_parallel_size", &ParallelConfig::contextParallelSize,
              {.label = {"Context parallel", "上下文并行"},
               .help = {"Devices that share each row of tokens.", "共同承担每行 token 的设备数。"},
               .min = 1, .max = 1024, .advanced = true}),
        field("expert_parallel_size", &ParallelConfig::expertParallelSize,
              {.label = {"Expert parallel", "专家并行"},
               .help = {"Devices that share the experts of each block.", "共同承担每块专家的设备数。"},
               .min = 1, .max = 1024, .advanced = true}),
        field("zero_stage", &ParallelConfig::zeroStage,
              {.label = {"ZeRO stage", "ZeRO 阶段"},
               .help = {"1 shares the optimizer state, 2 also gradients, 3 also weights.",
                        "1 共享优化器状态，2 再加梯度，3 再加权重。"},
               .min = 0, .max = 3}),
        field("activation_checkpointing", &ParallelConfig::activationCheckpointing,
              {.label = {"Activation checkpointing", "激活检查点"},
               .help = {"Computes activations again in the backward pass instead of keeping them: less memory, more time.",
                        "反向时重新计算激活而不保存：省内存，费时间。"},
               .changeable = true}),
        field("micro_batch_size", &ParallelConfig::microBatchSize,
              {.label = {"Micro-batch", "微批大小"},
               .help = {"Rows computed at once on a device; 0 takes the whole share. Smaller needs less memory.",
                        "设备一次计算的行数；0 表示取全部。越小越省内存。"},
               .min = 0, .max = 1e7, .unit = "rows", .changeable = true}),
        field("schedule", &ParallelConfig::schedule,
              {.label = {"Pipeline schedule", "流水线调度"},
               .help = {"Order of work between the stages.", "各阶段之间的工作顺序。"}, .advanced = true}),
        field("virtual_stages", &ParallelConfig::virtualStages,
              {.label = {"Chunks a stage", "每阶段分块数"},
               .help = {"Pieces of the model that each stage holds in the interleaved schedule; more make the bubble "
                        "smaller and the traffic larger.",
                        "交错调度中每个阶段持有的模型片段数；越多气泡越小，通信越多。"},
               .min = 1, .max = 64, .advanced = true}),
        field("sequence_parallel", &ParallelConfig::sequenceParallel,
              {.label = {"Sequence parallel", "序列并行"},
               .help = {"Tensor-parallel devices also share the tokens between products: less memory for activations, "
                        "equal traffic.",
                        "张量并行的设备在各乘积之间也分担 token：激活更省内存，通信量相同。"},
               .advanced = true})};
};

}  // namespace unmask
