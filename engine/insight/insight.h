// SPDX-License-Identifier: Apache-2.0
// Rules over the stream of metrics that say when a run is better stopped, each with its evidence. A rule fires once and
// again only after its condition has ended, so that nobody is nagged. Thresholds stand in one table, rules.h.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/protocol/events.h"

namespace unmask {

using MetricValues = std::map<std::string, double>;

class InsightRule {
 public:
    virtual ~InsightRule() = default;
    // Sees every metrics record in order; adds what it has to say about this step.
    virtual void observe(int64_t step, const MetricValues& values, std::vector<SuggestionEvent>& out) = 0;
};

class Insights {
 public:
    Insights();
    std::vector<SuggestionEvent> observe(int64_t step, const MetricValues& values);

 private:
    std::vector<std::unique_ptr<InsightRule>> m_rules;
};

}  // namespace unmask
