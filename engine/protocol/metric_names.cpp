// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/metric_names.h"

#include <string>

namespace unmask {

const std::vector<MetricInfo>& allMetrics() {
    static const std::vector<MetricInfo> list{
        {metric::kTrainLoss, {"Training loss", "训练损失"}, "nats/token", Better::lower},
        {metric::kValidationLoss, {"Validation loss", "验证损失"}, "nats/token", Better::lower},
        {metric::kValidationPerplexity, {"Validation perplexity", "验证困惑度"}, "", Better::lower},
        {metric::kMaskedCrossEntropy, {"Masked cross-entropy", "掩码交叉熵"}, "nats/token", Better::lower},
        {metric::kGradNorm, {"Gradient norm", "梯度范数"}, "", Better::neither},
        {metric::kLearningRate, {"Learning rate", "学习率"}, "", Better::neither},
        {metric::kLossScale, {"Loss scale", "损失缩放"}, "", Better::neither},
        {metric::kBalanceLoss, {"Balance loss of experts", "专家均衡损失"}, "", Better::lower},
        {metric::kLargestExpertShare, {"Share of the busiest expert", "最忙专家的占比"}, "", Better::lower},
        {metric::kDroppedRoutes, {"Share of routes dropped", "丢弃的路由占比"}, "", Better::lower},
        {metric::kTokensPerSecond, {"Throughput", "吞吐量"}, "tokens/s", Better::higher},
        {metric::kMaskRatio, {"Share masked", "掩码比例"}, "", Better::neither},
        {metric::kDroppedSamples, {"Samples dropped", "丢弃的样本"}, "", Better::lower},
        {metric::kHostCpu, {"CPU use", "CPU 使用率"}, "%", Better::neither},
        {metric::kHostMemory, {"Memory in use", "已用内存"}, "bytes", Better::neither},
        {metric::kHostTemperature, {"CPU temperature", "CPU 温度"}, "°C", Better::lower},
        {metric::kProcessMemory, {"Memory of the training", "训练占用内存"}, "bytes", Better::lower},
        {metric::kDiskFree, {"Free disk", "磁盘剩余"}, "bytes", Better::higher},
        {"device/N/temperature", {"GPU temperature", "GPU 温度"}, "°C", Better::lower},
        {"device/N/memory_used", {"GPU memory in use", "GPU 已用显存"}, "bytes", Better::neither},
        {"device/N/memory_total", {"GPU memory", "GPU 显存总量"}, "bytes", Better::neither},
        {"device/N/utilization", {"GPU use", "GPU 使用率"}, "%", Better::higher},
        {"device/N/power", {"GPU power", "GPU 功率"}, "W", Better::neither},
        {"device/N/clock", {"GPU clock", "GPU 频率"}, "MHz", Better::neither},
        {"device/N/throttle", {"GPU throttling", "GPU 降频"}, "", Better::lower}};
    return list;
}

const MetricInfo* findMetric(std::string_view name) {
    std::string wanted(name);
    if (constexpr std::string_view prefix = "device/"; name.starts_with(prefix)) {
        const size_t slash = name.find('/', prefix.size());
        if (slash != std::string_view::npos)
            wanted = "device/N" + std::string(name.substr(slash));
    }
    for (const auto& info : allMetrics())
        if (info.name == wanted)
            return &info;
    return nullptr;
}

}  // namespace unmask
