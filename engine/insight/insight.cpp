// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/insight.h"

#include "engine/insight/rules.h"

namespace unmask {

Insights::Insights() {
    m_rules.push_back(std::make_unique<PlateauRule>());
    m_rules.push_back(std::make_unique<OverfittingRule>());
    m_rules.push_back(std::make_unique<DivergenceRule>());
    m_rules.push_back(std::make_unique<SpikeRule>());
}

std::vector<SuggestionEvent> Insights::observe(int64_t step, const MetricValues& values) {
    std::vector<SuggestionEvent> said;
    for (const auto& rule : m_rules)
        rule->observe(step, values, said);
    return said;
}

}  // namespace unmask
