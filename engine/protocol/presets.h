// SPDX-License-Identifier: Apache-2.0
// The architectures people pick from; their numbers are resources/presets/*.json, built into the program.
#pragma once

#include <string>
#include <vector>

#include "engine/protocol/run_spec.h"

namespace unmask {

struct Preset {
    std::string name;  // "first-steps", "light", "base", "enhanced"
    std::string titleEn, titleZh;
    std::string summaryEn, summaryZh;
    RunSpec spec;
};

const std::vector<Preset>& allPresets();
Result<RunSpec> presetSpec(std::string_view name);  // the error suggests the nearest name

}  // namespace unmask
