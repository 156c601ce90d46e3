// SPDX-License-Identifier: Apache-2.0
// Learning rate over the run: linear warm-up from 0, then the chosen course down to final_rate_fraction of the peak.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/protocol/optimizer_config.h"

namespace unmask {

// Rate of update `step` (0 is the first). Warm-up has warmup_fraction · steps updates and reaches the peak at its last;
// the first update already has a rate above 0. The last update (steps - 1) has the final rate. Beyond it: the final
// rate.
double learningRate(const OptimizerConfig& config, int64_t steps, int64_t step);

struct ScheduleEntry {
    RateSchedule kind;
    std::string_view name;
    // Factor in [0, 1] for progress in [0, 1) after warm-up; 1 is the peak, 0 the final rate.
    double (*factor)(const OptimizerConfig& config, double progress);
};
const std::vector<ScheduleEntry>& allSchedules();

}  // namespace unmask
