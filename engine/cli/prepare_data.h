// SPDX-License-Identifier: Apache-2.0
// The data of a run, imported before the run begins, so that what is wrong with a file is said at once.
#pragma once

#include <functional>
#include <string>

#include "engine/data/prepare_store.h"
#include "engine/protocol/run_spec.h"

namespace unmask {

// Says what was left out, and throws Error(badInput) when the data cannot be trained on.
PreparedStore importData(const RunSpec& spec, const std::function<void(const std::string&)>& say);

// What was found, in lines for people; at most `badLines` of the lines that could not be used.
std::vector<std::string> describeImport(const ImportReport& report, size_t badLines);

}  // namespace unmask
