// SPDX-License-Identifier: Apache-2.0
// AdamW and the course of its learning rate. Weight decay acts on matrices alone.
#pragma once

#include "engine/protocol/field_spec.h"

namespace unmask {

enum class OptimizerKind { adamw };
template <>
struct Choices<OptimizerKind> {
    static constexpr std::array list{Choice{OptimizerKind::adamw, "adamw", {"AdamW", "AdamW"}}};
};

enum class RateSchedule { constant, linear, cosine, warmupStableDecay };
template <>
struct Choices<RateSchedule> {
    static constexpr std::array list{
        Choice{RateSchedule::constant, "constant", {"Constant", "恒定"}},
        Choice{RateSchedule::linear, "linear", {"Linear decay", "线性衰减"}},
        Choice{RateSchedule::cosine, "cosine", {"Cosine decay", "余弦衰减"}},
        Choice{RateSchedule::warmupStableDecay, "wsd", {"Warm-up, stable, decay", "预热-稳定-衰减"}}};
};

// What an update keeps for each parameter besides the 16-bit weight: 12 bytes, or 4.
enum class StatePrecision { fp32, bf16 };
template <>
struct Choices<StatePrecision> {
    static constexpr std::array list{
        Choice{StatePrecision::fp32, "fp32", {"32-bit", "32 位"}},
        Choice{StatePrecision::bf16, "bf16", {"bfloat16, rounded at random", "bfloat16，随机舍入"}}};
};

struct OptimizerConfig {
    OptimizerKind kind = OptimizerKind::adamw;
    double learningRate = 3e-4;
    RateSchedule schedule = RateSchedule::cosine;
    double warmupFraction = 0.1;
    double finalRateFraction = 0.1;
    double decayFraction = 0.2;
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
    double weightDecay = 0.1;
    double gradientClip = 1.0;
    StatePrecision statePrecision = StatePrecision::fp32;
    bool operator==(const OptimizerConfig&) const = default;

    static constexpr auto fields = std::tuple{
        field("kind", &OptimizerConfig::kind,
              {.label = {"Optimizer", "优化器"},
               .help = {"AdamW suits all presets.", "AdamW 适合所有预设。"},
               .advanced = true}),
        field("learning_rate", &OptimizerConfig::learningRate,
              {.label = {"Learning rate", "学习率"},
               .help = {"Peak step size. Too high diverges, too low wastes time; large models need less.",
                        "最大步长。过高会发散，过低浪费时间；大模型需要更小。"},
               .min = 0,
               .max = 10,
               .changeable = true}),
        field("learning_rate_schedule", &OptimizerConfig::schedule,
              {.label = {"Rate over time", "学习率变化"},
               .help = {"Cosine suits a fixed length; warm-up, stable, decay suits runs that may be extended.",
                        "固定长度用余弦；可能延长的运行用预热-稳定-衰减。"}}),
        field("warmup_fraction", &OptimizerConfig::warmupFraction,
              {.label = {"Warm-up", "预热比例"},
               .help = {"Share of the steps in which the rate rises from 0; keeps the start steady.",
                        "学习率从 0 上升所占的步数比例；使开始阶段平稳。"},
               .min = 0,
               .max = 1}),
        field("final_rate_fraction", &OptimizerConfig::finalRateFraction,
              {.label = {"Final rate", "最终学习率比例"},
               .help = {"Rate at the last step as a share of the peak.", "最后一步的学习率占峰值的比例。"},
               .min = 0,
               .max = 1,
               .advanced = true}),
        field("decay_fraction", &OptimizerConfig::decayFraction,
              {.label = {"Decay phase", "衰减阶段比例"},
               .help = {"Share of the steps that warm-up, stable, decay spends falling.",
                        "预热-稳定-衰减方式中用于下降的步数比例。"},
               .min = 0,
               .max = 1,
               .advanced = true}),
        field("beta1", &OptimizerConfig::beta1,
              {.label = {"Beta 1", "β1"},
               .help = {"Memory of the mean gradient.", "梯度均值的记忆系数。"},
               .min = 0,
               .max = 0.99999,
               .advanced = true}),
        field("beta2", &OptimizerConfig::beta2,
              {.label = {"Beta 2", "β2"},
               .help = {"Memory of the squared gradient.", "梯度平方的记忆系数。"},
               .min = 0,
               .max = 0.9999999,
               .advanced = true}),
        field("adam_epsilon", &OptimizerConfig::epsilon,
              {.label = {"Epsilon", "ε"},
               .help = {"Keeps the division finite.", "使除法保持有限。"},
               .min = 1e-20,
               .max = 1,
               .advanced = true}),
        field("weight_decay", &OptimizerConfig::weightDecay,
              {.label = {"Weight decay", "权重衰减"},
               .help = {"Pulls matrices towards 0; matters most over many epochs.", "将矩阵拉向 0；多轮训练时最重要。"},
               .min = 0,
               .max = 10,
               .changeable = true,
               .advanced = true}),
        field("gradient_clip", &OptimizerConfig::gradientClip,
              {.label = {"Gradient clip", "梯度裁剪"},
               .help = {"Largest gradient norm of an update; 0 switches clipping off.",
                        "一次更新的最大梯度范数；0 表示关闭裁剪。"},
               .min = 0,
               .max = 1e6,
               .changeable = true,
               .advanced = true}),
        field("state_precision", &OptimizerConfig::statePrecision,
              {.label = {"Optimizer state", "优化器状态"},
               .help = {"GPU with bf16 or fp8: bf16 moments and no 32-bit weights save 8 bytes a parameter.",
                        "GPU 的 bf16 或 fp8：bf16 动量且不保留 32 位权重，每参数省 8 字节。"},
               .advanced = true})};
};

}  // namespace unmask
