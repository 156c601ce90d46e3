// SPDX-License-Identifier: Apache-2.0
// A layout on a set of machines, all that is known of it before it starts, and the layouts that suit a model best, with
// reasons. What is planned for machines that are not here says of itself that it is a projection.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/planner/layout_memory.h"
#include "engine/planner/layout_rules.h"
#include "engine/planner/layout_time.h"

namespace unmask {

struct LayoutPlan {
    ParallelConfig parallel;
    int64_t worldSize = 1;
    int64_t microBatches = 1;         // a rank works through for one update
    std::vector<StageMemory> stages;  // empty where the layout is illegal
    double capacityBytes = 0;         // of a rank; 0 means unknown
    std::optional<LayoutTime> time;   // empty where illegal or of unknown speed
    std::vector<Problem> problems;    // rules, machines, memory
    std::vector<Problem> limits;      // why this version cannot carry it out yet
    std::optional<bool> fits;         // empty where unknown
    bool legal = false;               // no rule is broken; it may still not fit
    bool projection = false;          // the machines are not here

    bool runsToday() const;
    const StageMemory* fullest() const;  // the stage that needs most; null where illegal

    int64_t mostBytes() const;  // of its ranks
};
LayoutPlan planLayout(const RunSpec& spec, const MachineSet& machines);

struct LayoutChoice {
    LayoutPlan plan;
    std::vector<Sentence> reasons;
};
// The fastest layouts that fit, best first; simpler ones win where little is lost. Only sizes, ZeRO stage, schedule,
// recomputing and the micro-batch are chosen. Where nothing fits: the one that needs least, with that said. Empty where
// no layout is legal, or none can be carried out today.
std::vector<LayoutChoice> recommendLayouts(const RunSpec& spec, const MachineSet& machines, size_t most = 3,
                                           Reach reach = Reach::legal);

// "Projected for 8 × H200, which are not here: …" or "Estimated for …".
Sentence layoutClaim(const LayoutPlan& plan, const MachineSet& machines);

Json layoutToJson(const LayoutPlan& plan, const MachineSet& machines);
Json machinesToJson(const MachineSet& machines);

}  // namespace unmask
