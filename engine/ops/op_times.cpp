// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/op_times.h"

#include <algorithm>
#include <map>

namespace unmask {

OpTimes*& OpTimes::current() {
    static OpTimes* times = nullptr;
    return times;
}

void OpTimes::begin(std::string name) {
    m_spans.push_back({std::move(name), {}, {}});
    m_spans.back().begin.record();
}

void OpTimes::end() {
    m_spans.back().end.record();
}

std::vector<OpTime> OpTimes::totals() const {
    waitForGpu();
    std::map<std::string, OpTime> byName;
    for (const Span& span : m_spans) {
        OpTime& total = byName[span.name];
        total.name = span.name;
        ++total.calls;
        total.seconds += span.end.secondsSince(span.begin);
    }
    std::vector<OpTime> sorted;
    for (auto& [name, total] : byName)
        sorted.push_back(std::move(total));
    std::sort(sorted.begin(), sorted.end(), [](const OpTime& a, const OpTime& b) { return a.seconds > b.seconds; });
    return sorted;
}

}  // namespace unmask
