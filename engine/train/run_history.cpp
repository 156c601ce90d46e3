// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_history.h"

#include "engine/journal/event_reader.h"
#include "engine/protocol/metric_names.h"

namespace unmask {

namespace {

void drop(std::vector<PastPoint>& points, int64_t beyond) {
    while (!points.empty() && points.back().step > beyond)
        points.pop_back();
}

}  // namespace

std::vector<PastPoint> pastPoints(const RunFolder& folder, int64_t upToStep) {
    std::vector<PastPoint> points;
    EventReader reader(folder);
    for (auto records = reader.readRecords(); !records.empty(); records = reader.readRecords())
        for (const EventRecord& record : records) {
            if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
                drop(points, resumed->fromStep);
            const auto* metrics = std::get_if<MetricsEvent>(&record.event);
            if (!metrics)
                continue;
            PastPoint point{record.step, {}};
            for (const std::string_view name : {metric::kTrainLoss, metric::kGradNorm, metric::kValidationLoss})
                if (const auto found = metrics->values.find(std::string(name)); found != metrics->values.end())
                    point.values.insert(*found);
            points.push_back(std::move(point));
        }
    drop(points, upToStep);
    return points;
}

}  // namespace unmask
