// SPDX-License-Identifier: Apache-2.0
// Every chart that a page may show: id, title and the metrics it draws. A new chart is one row here.
#pragma once

#include <string_view>
#include <vector>

#include "engine/protocol/field_spec.h"
#include "ui/charts/chart_types.h"

namespace unmask::ui {

struct ChartMetric {
    std::string_view name;  // of protocol/metric_names; "device/N/…" stands for each device
    Text label;             // in tooltip and legend
    bool smoothed = true;
};

struct ChartInfo {
    std::string_view id;
    Text title;
    std::string_view unit;
    std::vector<ChartMetric> metrics;
    bool logarithmic = false;             // at first
    YRange yRange = YRange::percentile5;  // at first
};

const std::vector<ChartInfo>& allCharts();
const ChartInfo* findChart(std::string_view id);
// "device/3/temperature" is drawn by the metric "device/N/temperature" as its fourth series.
struct MetricMatch {
    const ChartMetric* metric = nullptr;  // null: this chart does not draw it
    int device = -1;
};
MetricMatch matchMetric(const ChartInfo& chart, std::string_view metricName);

}  // namespace unmask::ui
