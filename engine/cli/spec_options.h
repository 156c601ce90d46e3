// SPDX-License-Identifier: Apache-2.0
// How a run is described on a command line: a preset, a run file, data files, and any setting by name. Flags and their
// help come from the field lists, so a new setting has its flag at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/protocol/run_spec.h"

namespace CLI {
class App;
}

namespace unmask {

struct SpecArguments {
    std::string preset;
    std::string specFile;
    std::vector<std::string> data;
    std::vector<std::pair<std::string, std::string>> settings;  // name or path, and text as typed; in typed order

    bool namesBase() const { return !preset.empty() || !specFile.empty(); }
    bool empty() const { return !namesBase() && data.empty() && settings.empty(); }
};

// `arguments` must live until the program was parsed and has acted.
void addSpecOptions(CLI::App& command, SpecArguments& arguments);
// Throws Error(badInput) about the first argument that no option took, with the nearest name.
void refuseUnknown(const CLI::App& command);

// Later wins: base, preset, run file, data, settings.
RunSpec composeSpec(const SpecArguments& arguments, const RunSpec& base);
// Of a new run: without preset, run file and data it is first-steps on the sample corpus.
RunSpec composeNewSpec(const SpecArguments& arguments);

}  // namespace unmask
