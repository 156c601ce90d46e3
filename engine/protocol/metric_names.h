// SPDX-License-Identifier: Apache-2.0
// Every metric a run may record: name, unit, direction, and its title in both languages. Charts and tables read this.
#pragma once

#include <string_view>
#include <vector>

#include "engine/protocol/field_spec.h"

namespace unmask {

enum class Better { lower, higher, neither };

struct MetricInfo {
    std::string_view name;
    Text title;
    std::string_view unit;
    Better better;
};

namespace metric {
inline constexpr std::string_view kTrainLoss = "train/loss";
inline constexpr std::string_view kGradNorm = "train/grad_norm";
inline constexpr std::string_view kLearningRate = "train/learning_rate";
inline constexpr std::string_view kTokensPerSecond = "train/tokens_per_second";
inline constexpr std::string_view kMaskRatio = "train/mask_ratio";
inline constexpr std::string_view kMaskedCrossEntropy = "train/masked_cross_entropy";
inline constexpr std::string_view kDroppedSamples = "train/dropped_samples";
inline constexpr std::string_view kLossScale = "train/loss_scale";
inline constexpr std::string_view kBalanceLoss = "train/balance_loss";
inline constexpr std::string_view kLargestExpertShare = "train/largest_expert_share";
inline constexpr std::string_view kDroppedRoutes = "train/dropped_routes";
inline constexpr std::string_view kValidationLoss = "validation/loss";
inline constexpr std::string_view kValidationPerplexity = "validation/perplexity";
inline constexpr std::string_view kHostCpu = "host/cpu_utilization";
inline constexpr std::string_view kHostMemory = "host/memory_used";
inline constexpr std::string_view kHostTemperature = "host/temperature";
inline constexpr std::string_view kProcessMemory = "host/process_memory";
inline constexpr std::string_view kDiskFree = "host/disk_free";
}  // namespace metric

const std::vector<MetricInfo>& allMetrics();
// device/0/temperature is found as device/N/temperature; null when unknown.
const MetricInfo* findMetric(std::string_view name);

}  // namespace unmask
