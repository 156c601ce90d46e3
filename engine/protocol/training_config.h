// SPDX-License-Identifier: Apache-2.0
// Length, batch, precision and place of the training, and how often it validates, samples and saves.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/protocol/field_spec.h"
#include "engine/protocol/interval.h"

namespace unmask {

enum class Precision { fp32, fp64, bf16, fp16, fp8 };
template <>
struct Choices<Precision> {
    static constexpr std::array list{Choice{Precision::fp32, "fp32", {"32-bit", "32 位"}},
                                     Choice{Precision::fp64, "fp64", {"64-bit (tests)", "64 位（测试）"}},
                                     Choice{Precision::bf16, "bf16", {"bfloat16", "bfloat16"}},
                                     Choice{Precision::fp16, "fp16", {"16-bit", "16 位"}},
                                     Choice{Precision::fp8, "fp8", {"8-bit", "8 位"}}};
};

// Operations that exact_ops can name.
enum class ExactOp { products, attention, norm, activation, rotary, head };
constexpr std::array<std::string_view, 6> kExactOpNames{"products",   "attention", "norm",
                                                        "activation", "rotary",    "head"};

enum class DeviceChoice { automatic, cpu, cuda };
template <>
struct Choices<DeviceChoice> {
    static constexpr std::array list{Choice{DeviceChoice::automatic, "auto", {"Best found", "自动选择"}},
                                     Choice{DeviceChoice::cpu, "cpu", {"CPU", "CPU"}},
                                     Choice{DeviceChoice::cuda, "cuda", {"NVIDIA GPU", "NVIDIA GPU"}}};
};

struct TrainingConfig {
    int64_t steps = 1000;
    int64_t batchSize = 64;
    int64_t seed = 42;
    Precision precision = Precision::fp32;
    DeviceChoice device = DeviceChoice::automatic;
    int64_t threads = 0;
    int64_t logInterval = 1;
    bool deterministic = false;
    bool allowTf32 = false;
    double lossScale = 65536;
    std::string exactOps;
    bool operator==(const TrainingConfig&) const = default;

    static constexpr auto fields = std::tuple{
        field("steps", &TrainingConfig::steps,
              {.label = {"Steps", "步数"},
               .help = {"Number of updates. More steps lower the loss until the data is exhausted.",
                        "更新次数。步数越多损失越低，直到数据学尽。"},
               .min = 1,
               .max = 1e12,
               .unit = "updates",
               .changeable = true}),
        field("batch_size", &TrainingConfig::batchSize,
              {.label = {"Batch", "批大小"},
               .help = {"Rows an update, over all devices and micro-batches. Larger is steadier and slower a step.",
                        "每次更新的行数，涵盖所有设备与微批。越大越平稳，每步也越慢。"},
               .min = 1,
               .max = 1e7,
               .unit = "rows"}),
        field("seed", &TrainingConfig::seed,
              {.label = {"Seed", "随机种子"},
               .help = {"Same seed, same losses on the same machine; change it to see how much luck is in a result.",
                        "相同种子在同一机器上得到相同损失；改变它可看出结果中有多少偶然。"},
               .min = 0,
               .max = 9.007199254740992e15}),
        field("precision", &TrainingConfig::precision,
              {.label = {"Precision", "精度"},
               .help = {"32-bit on the CPU; bfloat16 is the usual choice on a GPU.",
                        "CPU 用 32 位；GPU 通常用 bfloat16。"}}),
        field("device", &TrainingConfig::device,
              {.label = {"Device", "设备"}, .help = {"Where it is computed.", "在何处计算。"}, .advanced = true}),
        field("threads", &TrainingConfig::threads,
              {.label = {"CPU threads", "CPU 线程数"},
               .help = {"0 takes one a core. Results are bit-equal only for an equal number.",
                        "0 表示每核一个。线程数相同结果才逐位相同。"},
               .min = 0,
               .max = 1024,
               .advanced = true}),
        field("log_interval", &TrainingConfig::logInterval,
              {.label = {"Log interval", "日志间隔"},
               .help = {"Every step is recorded; this is how often a GPU hands its records over.",
                        "每一步都会记录；此值为 GPU 交出记录的间隔。"},
               .min = 1,
               .max = 10000,
               .unit = "updates",
               .advanced = true}),
        field("deterministic", &TrainingConfig::deterministic,
              {.label = {"Deterministic", "确定性"},
               .help = {"GPU: the same bits from run to run, a little slower. The CPU always is.",
                        "GPU：每次运行逐位相同，略慢。CPU 始终如此。"},
               .advanced = true}),
        field("allow_tf32", &TrainingConfig::allowTf32,
              {.label = {"TF32", "TF32"},
               .help = {"GPU with 32-bit precision: products with 10 bits of mantissa, several times faster.",
                        "GPU 32 位精度：乘法用 10 位尾数，快数倍。"},
               .advanced = true}),
        field("loss_scale", &TrainingConfig::lossScale,
              {.label = {"First loss scale", "初始损失缩放"},
               .help = {"GPU with fp16: gradients are made with this factor, which halves when they overflow.",
                        "GPU 的 fp16：梯度乘以此系数计算，溢出时减半。"},
               .min = 1,
               .max = 16777216,
               .advanced = true}),
        field(
            "exact_ops", &TrainingConfig::exactOps,
            {.label = {"32-bit operations", "32 位运算"},
             .help =
                 {"GPU: products, attention, norm, activation, rotary or head, computed in 32 bits to find what loses "
                  "precision; slow.",
                  "GPU：以 32 "
                  "位计算的运算（products、attention、norm、activation、rotary、head），用于查找精度损失；较慢。"},
             .advanced = true})};
};

struct CheckpointConfig {
    Interval interval = Interval::steps(1000);
    int64_t keepLast = 3;
    bool operator==(const CheckpointConfig&) const = default;

    static constexpr auto fields = std::tuple{
        field("checkpoint_interval", &CheckpointConfig::interval,
              {.label = {"Checkpoint every", "检查点间隔"},
               .help = {"A crash loses at most this much work. A number of steps, or 10min, 1epoch, never.",
                        "崩溃最多损失这么多工作。步数，或 10min、1epoch、never。"},
               .changeable = true}),
        field("keep_last", &CheckpointConfig::keepLast,
              {.label = {"Checkpoints kept", "保留的检查点数"},
               .help = {"Newest checkpoints kept on disk; at least 2, since the newest may still be in the making.",
                        "磁盘上保留的最新检查点数；至少 2 个，因为最新的可能尚未写完。"},
               .min = 2,
               .max = 100000,
               .changeable = true,
               .advanced = true})};
};

struct ValidationConfig {
    Interval interval = Interval::steps(500);
    int64_t samples = 512;
    int64_t draws = 1;
    bool operator==(const ValidationConfig&) const = default;

    static constexpr auto fields =
        std::tuple{field("validation_interval", &ValidationConfig::interval,
                         {.label = {"Validate every", "验证间隔"},
                          .help = {"Measures the bound on held-back samples, always with the same masks.",
                                   "在留出的样本上测量上界，掩码始终相同。"},
                          .changeable = true}),
                   field("validation_samples", &ValidationConfig::samples,
                         {.label = {"Validation samples", "验证样本数"},
                          .help = {"Most samples used a validation; more is steadier and slower.",
                                   "每次验证最多使用的样本数；越多越平稳也越慢。"},
                          .min = 1,
                          .max = 1e7,
                          .advanced = true}),
                   field("validation_draws", &ValidationConfig::draws,
                         {.label = {"Mask draws a sample", "每样本掩码次数"},
                          .help = {"Masks drawn for each validation sample; more lowers the noise of the figure.",
                                   "每个验证样本抽取的掩码次数；越多数值噪声越小。"},
                          .min = 1,
                          .max = 1024,
                          .advanced = true})};
};

struct SamplingConfig {
    Interval interval = Interval::never();
    std::string prompt;
    int64_t length = 128;
    int64_t denoisingSteps = 64;
    int64_t blockSize = 32;
    double temperature = 0.0;
    bool operator==(const SamplingConfig&) const = default;

    static constexpr auto fields = std::tuple{
        field("sample_interval", &SamplingConfig::interval,
              {.label = {"Write a sample every", "生成样本间隔"},
               .help = {"Lets the model write some text now and then; costs the time of that text.",
                        "让模型不时写一段文本；花费生成该文本的时间。"},
               .changeable = true}),
        field("prompt", &SamplingConfig::prompt,
              {.label = {"Prompt", "提示"},
               .help = {"Text the sample begins with.", "样本开头的文本。"},
               .changeable = true}),
        field("sample_length", &SamplingConfig::length,
              {.label = {"Length", "长度"},
               .help = {"Tokens written after the prompt.", "提示之后生成的 token 数。"},
               .min = 1,
               .max = 65536,
               .unit = "tokens",
               .changeable = true}),
        field("denoising_steps", &SamplingConfig::denoisingSteps,
              {.label = {"Denoising steps", "去噪步数"},
               .help = {"Forward passes for the whole text; fewer is faster and rougher.",
                        "整段文本的前向次数；越少越快也越粗糙。"},
               .min = 1,
               .max = 65536,
               .changeable = true}),
        field("sample_block_size", &SamplingConfig::blockSize,
              {.label = {"Block", "块大小"},
               .help = {"Text is written block by block from left to right; the whole length means all at once.",
                        "文本从左到右逐块生成；取全长则一次完成。"},
               .min = 1,
               .max = 65536,
               .unit = "tokens",
               .changeable = true,
               .advanced = true}),
        field("temperature", &SamplingConfig::temperature,
              {.label = {"Temperature", "温度"},
               .help = {"0 always takes the likeliest token; 1 draws from the model's distribution.",
                        "0 总取最可能的 token；1 按模型分布抽取。"},
               .min = 0,
               .max = 10,
               .changeable = true})};
};

struct LaunchConfig {
    std::string name;
    int64_t restartBudget = 0;
    double hangTimeout = 30;
    std::string interface;
    bool operator==(const LaunchConfig&) const = default;

    static constexpr auto fields =
        std::tuple{field("name", &LaunchConfig::name,
                         {.label = {"Name", "名称"},
                          .help = {"What the run is called in lists; empty takes the preset and the time.",
                                   "运行在列表中的名称；留空则取预设与时间。"}}),
                   field("restart_budget", &LaunchConfig::restartBudget,
                         {.label = {"Restarts allowed", "允许的重启次数"},
                          .help = {"How often the run resumes by itself after a crash of one of its processes.",
                                   "某个进程崩溃后自动恢复的次数。"},
                          .min = 0,
                          .max = 1000,
                          .advanced = true}),
                   field("hang_timeout", &LaunchConfig::hangTimeout,
                         {.label = {"Hang timeout", "挂起超时"},
                          .help = {"How long one process may keep the others waiting before the run is ended, or "
                                   "restarted within its budget; steps that take longer by nature count thrice.",
                                   "某个进程让其他进程等待多久后结束运行，或在允许次数内重启；本就较慢的步骤按三倍计。"},
                          .min = 1,
                          .max = 86400,
                          .unit = "s",
                          .advanced = true}),
                   field("interface", &LaunchConfig::interface,
                         {.label = {"Network interface", "网络接口"},
                          .help = {"Name of the interface that processes talk over, such as eth0; empty takes the one "
                                   "that reaches the first machine.",
                                   "进程间通信所用网络接口的名称，例如 eth0；留空则取能到达首台机器的接口。"},
                          .advanced = true})};
};

}  // namespace unmask
