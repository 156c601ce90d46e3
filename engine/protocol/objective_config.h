// SPDX-License-Identifier: Apache-2.0
// What is learned: how masks are drawn and how their losses are weighted. Both forms estimate the same bound.
#pragma once

#include "engine/protocol/field_spec.h"

namespace unmask {

enum class ObjectiveKind { exactCount, inverseT };
template <>
struct Choices<ObjectiveKind> {
    static constexpr std::array list{
        Choice{ObjectiveKind::exactCount, "exact_count", {"Masked diffusion, exact count", "掩码扩散，精确计数"}},
        Choice{ObjectiveKind::inverseT, "inverse_t", {"Masked diffusion, weight 1/t", "掩码扩散，权重 1/t"}}};
};

enum class TimeSampling { stratified, independent };
template <>
struct Choices<TimeSampling> {
    static constexpr std::array list{
        Choice{TimeSampling::stratified, "stratified", {"Stratified over the batch", "在批内分层"}},
        Choice{TimeSampling::independent, "iid", {"Independent", "独立"}}};
};

struct ObjectiveConfig {
    ObjectiveKind kind = ObjectiveKind::exactCount;
    TimeSampling timeSampling = TimeSampling::stratified;
    double noiseFloor = 1e-3;
    bool excludeMaskLogit = true;
    double zLoss = 0;
    bool operator==(const ObjectiveConfig&) const = default;

    static constexpr auto fields = std::tuple{
        field("kind", &ObjectiveConfig::kind,
              {.label = {"Objective", "训练目标"},
               .help = {"Exact count masks a drawn number of tokens and has the least noise; 1/t is the form of LLaDA.",
                        "精确计数按抽取的数目掩码，噪声最小；1/t 为 LLaDA 的形式。"}}),
        field("time_sampling", &ObjectiveConfig::timeSampling,
              {.label = {"Noise levels", "噪声水平"},
               .help = {"Stratified spreads noise levels evenly over a batch and steadies the loss.",
                        "分层抽样使一批内的噪声水平均匀分布，损失更平稳。"},
               .advanced = true}),
        field("noise_floor", &ObjectiveConfig::noiseFloor,
              {.label = {"Lowest noise level", "最低噪声水平"},
               .help = {"Smallest t of the 1/t form, so that its weight stays bounded.",
                        "1/t 形式中 t 的下限，使权重有界。"},
               .min = 1e-6,
               .max = 0.5,
               .advanced = true}),
        field("exclude_mask_logit", &ObjectiveConfig::excludeMaskLogit,
              {.label = {"Never predict the mask", "不预测掩码"},
               .help = {"The mask token and unused rows of the vocabulary get no probability.",
                        "掩码 token 与词表中未使用的行不分配概率。"},
               .advanced = true}),
        field("z_loss", &ObjectiveConfig::zLoss,
              {.label = {"Z-loss", "Z 损失"},
               .help = {"Keeps the sum of the exponentials of the logits near 1, 1e-4 is usual; 0 switches it off.",
                        "使 logits 指数之和接近 1，常用 1e-4；0 表示关闭。"},
               .min = 0,
               .max = 1,
               .advanced = true})};
};

}  // namespace unmask
