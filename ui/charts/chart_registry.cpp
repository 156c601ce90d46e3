// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_registry.h"

#include <charconv>

#include "engine/protocol/metric_names.h"

namespace unmask::ui {

const std::vector<ChartInfo>& allCharts() {
    static const std::vector<ChartInfo> list{
        {"loss",
         {"Loss", "损失"},
         "nats/token",
         {{metric::kTrainLoss, {"train", "训练"}}, {metric::kValidationLoss, {"validation", "验证"}, false}},
         false,
         YRange::all},
        {"grad_norm", {"Gradient norm", "梯度范数"}, "", {{metric::kGradNorm, {"gradient norm", "梯度范数"}}}},
        {"learning_rate",
         {"Learning rate", "学习率"},
         "",
         {{metric::kLearningRate, {"learning rate", "学习率"}, false}},
         false,
         YRange::all},
        {"tokens_per_second",
         {"Throughput", "吞吐量"},
         "tokens/s",
         {{metric::kTokensPerSecond, {"tokens/s", "token/秒"}}}},
        {"mask_ratio", {"Share masked", "掩码比例"}, "", {{metric::kMaskRatio, {"masked", "掩码比例"}}}},
        {"experts",
         {"Busiest expert", "最忙专家"},
         "",
         {{metric::kLargestExpertShare, {"share of the busiest expert", "最忙专家的占比"}}}},
        {"balance_loss",
         {"Balance loss of experts", "专家均衡损失"},
         "",
         {{metric::kBalanceLoss, {"balance loss", "均衡损失"}}}},
        {"device_temperature",
         {"Device temperature", "设备温度"},
         "°C",
         {{"device/N/temperature", {"GPU %1", "GPU %1"}, false}, {metric::kHostTemperature, {"CPU", "CPU"}, false}},
         false,
         YRange::all},
        {"device_memory",
         {"Device memory", "设备内存"},
         "bytes",
         {{"device/N/memory_used", {"GPU %1", "GPU %1"}, false},
          {metric::kProcessMemory, {"training", "训练进程"}, false}},
         false,
         YRange::all},
        {"device_utilization",
         {"Device use", "设备使用率"},
         "%",
         {{"device/N/utilization", {"GPU %1", "GPU %1"}, false}},
         false,
         YRange::all},
        {"device_power",
         {"Device power", "设备功率"},
         "W",
         {{"device/N/power", {"GPU %1", "GPU %1"}, false}},
         false,
         YRange::all},
        {"host_cpu", {"CPU use", "CPU 使用率"}, "%", {{metric::kHostCpu, {"CPU", "CPU"}, false}}, false, YRange::all},
        {"host_memory",
         {"Memory in use", "已用内存"},
         "bytes",
         {{metric::kHostMemory, {"computer", "整机"}, false},
          {metric::kProcessMemory, {"training", "训练进程"}, false}},
         false,
         YRange::all},
    };
    return list;
}

const ChartInfo* findChart(std::string_view id) {
    for (const ChartInfo& chart : allCharts())
        if (chart.id == id)
            return &chart;
    return nullptr;
}

MetricMatch matchMetric(const ChartInfo& chart, std::string_view metricName) {
    constexpr std::string_view kDevice = "device/";
    int device = -1;
    std::string_view rest;
    if (metricName.starts_with(kDevice)) {
        const std::string_view tail = metricName.substr(kDevice.size());
        const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), device);
        if (error != std::errc())
            return {};
        rest = tail.substr(static_cast<size_t>(end - tail.data()));
    }
    for (const ChartMetric& metric : chart.metrics) {
        if (metric.name == metricName)
            return {&metric, -1};
        if (device >= 0 && metric.name.starts_with("device/N") && metric.name.substr(8) == rest)
            return {&metric, device};
    }
    return {};
}

}  // namespace unmask::ui
