// SPDX-License-Identifier: Apache-2.0
// Settings that change while a run exists: by `set` while it runs, by --set on a resume. What was changed is found
// again in the journal ("training.steps: 500 → 900"), so a later attempt goes on with it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/journal/run_folder.h"
#include "engine/protocol/run_spec.h"

namespace unmask {

// Both refuse fields that are not marked changeable. The result is the line for the journal; empty when the value is
// what it was.
Result<std::string> applySettingText(RunSpec& spec, std::string_view pathOrName, std::string_view text);
// While running: a field that shapes the memory of a step takes effect on a resume alone, and is refused here.
Result<std::string> applyLiveSetting(RunSpec& spec, std::string_view pathOrName, const Json& value);

// Re-applies what earlier attempts changed, in their order.
void replayChanges(RunSpec& spec, const RunFolder& folder);

}  // namespace unmask
