// SPDX-License-Identifier: Apache-2.0
// What is done between two updates. The leading rank decides, by its clock, its people's commands and its signals; the
// others get it as text and do the same.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/json.h"

namespace unmask {

struct StepDecision {
    bool evaluate = false;
    bool sample = false;
    bool save = false;
    bool stop = false;
    bool saveFirst = true;  // before a stop
    bool paused = false;    // no update yet: decide again
    int64_t exitCode = 0;
    std::string reason;                                         // of a stop
    std::vector<std::pair<std::string, std::string>> settings;  // changed since the last decision: path, value

    bool operator==(const StepDecision&) const = default;
};

std::string toText(const StepDecision& decision);
StepDecision stepDecisionFrom(const std::string& text);  // Error(communication) for what no rank of this version sends

}  // namespace unmask
