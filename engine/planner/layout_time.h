// SPDX-License-Identifier: Apache-2.0
// How long an update takes with a layout, by the alpha-beta model of its messages and the timeline of its pipeline. An
// estimate to choose by; of machines that are not here a projection.
#pragma once

#include <optional>

#include "engine/planner/machine_set.h"

namespace unmask {

// Bytes a device sends for one update.
struct LayoutTraffic {
    double data = 0;  // gradients and, with ZeRO, weights
    double tensor = 0;
    double pipeline = 0;
    double context = 0;
    double expert = 0;
    double total() const { return data + tensor + pipeline + context + expert; }
};

// Seconds of one update, of the stage that works longest.
struct LayoutTime {
    double compute = 0;
    double communication = 0;  // that nothing hides
    double bubble = 0;         // waiting for other stages
    double update = 0;         // optimizer
    LayoutTraffic traffic;
    double total() const { return compute + communication + bubble + update; }
    double bubbleShare() const { return total() > 0 ? bubble / total() : 0; }
};

// Empty where the speed of the devices is unknown. The layout must be legal.
std::optional<LayoutTime> layoutTime(const RunSpec& spec, const MachineSet& machines);

}  // namespace unmask
