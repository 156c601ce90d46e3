// SPDX-License-Identifier: Apache-2.0
// Going on with a run: what was changed since it was started, and what may be changed now.
#pragma once

#include "engine/cli/prepare_run.h"

namespace unmask {

PreparedRun prepareResume(const RunArguments& arguments, const Say& say);

// The spec as the last attempt had it: run.json and the changes that the journal tells of.
RunSpec effectiveSpec(const RunFolder& folder, const RunSpec& started);

// "training.steps: 500 → 900", as `resumed` and the answer to `set` say it.
std::optional<std::pair<std::string, std::string>> parseChange(std::string_view text);

// `current` with what `wanted` has otherwise than `started`. Throws Error(badInput) for a setting that may not change.
RunSpec applyChanges(const RunSpec& started, const RunSpec& current, const RunSpec& wanted);
// "path=value" for each setting in which the two differ.
std::vector<std::string> settingArguments(const RunSpec& started, const RunSpec& spec);

}  // namespace unmask
