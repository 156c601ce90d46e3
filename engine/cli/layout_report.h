// SPDX-License-Identifier: Apache-2.0
// What `plan --machines` answers: the layouts that suit a model on these machines, with memory and time by part, the
// recommended one with its reasons, what of it this version can carry out, and the layout that was set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/planner/layout_plan.h"

namespace unmask {

struct LayoutReport {
    RunSpec spec;
    MachineSet machines;
    std::vector<LayoutChoice> choices;      // best first; the first is recommended
    std::optional<LayoutChoice> runsToday;  // the best that this version carries out, where the first is none
    std::optional<LayoutPlan> asSet;        // where the spec has a layout of its own
    std::optional<ParallelConfig> nearest;  // legal one, where that is illegal
};

LayoutReport reportLayouts(const RunSpec& spec, const MachineSet& machines);
std::vector<std::string> reportLines(const LayoutReport& report);  // for people
Json reportToJson(const LayoutReport& report);

}  // namespace unmask
