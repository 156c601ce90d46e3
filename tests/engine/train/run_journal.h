// SPDX-License-Identifier: Apache-2.0
// What a run's journal says, for tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/journal/event_reader.h"
#include "tests/support/temp_run.h"

namespace unmask::test {

inline std::vector<EventRecord> recordsOf(const RunFolder& folder) {
    std::vector<EventRecord> all;
    EventReader reader(folder);
    for (auto part = reader.readRecords(); !part.empty(); part = reader.readRecords())
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

// All payloads of one kind, in order.
template <class Kind>
std::vector<Kind> eventsOf(const RunFolder& folder) {
    std::vector<Kind> found;
    for (const EventRecord& record : recordsOf(folder))
        if (const auto* event = std::get_if<Kind>(&record.event))
            found.push_back(*event);
    return found;
}

// One metric as a chart shows it: by step, points beyond a resume superseded.
inline std::map<int64_t, double> curveOf(const RunFolder& folder, const std::string& metric) {
    std::map<int64_t, double> curve;
    for (const EventRecord& record : recordsOf(folder)) {
        if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
            curve.erase(curve.upper_bound(resumed->fromStep), curve.end());
        if (const auto* metrics = std::get_if<MetricsEvent>(&record.event))
            if (const auto found = metrics->values.find(metric); found != metrics->values.end())
                curve[record.step] = found->second;
    }
    return curve;
}

}  // namespace unmask::test
