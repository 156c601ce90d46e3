// SPDX-License-Identifier: Apache-2.0
// From arguments to a run that can be launched: the spec resolved and checked, the data imported, the folder made. All
// that can be wrong with the input is found before the folder exists.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/cli/spec_options.h"
#include "engine/launch/supervisor.h"
#include "engine/planner/plan.h"

namespace unmask {

struct RunArguments {
    SpecArguments spec;
    std::string folder;  // --run; empty: a new folder in the runs folder
    bool resume = false;
};

struct PreparedRun {
    RunDescription description;  // of a resumed run as it was started
    RunSpec spec;                // as it will be trained
    LaunchPlan plan;
    WorkerProgram worker;
    int64_t lastSeq = 0;       // of the journal before this start
    bool createdHere = false;  // the folder is new and may be taken back
    bool finished = false;     // nothing is left to do; `note` says so
    std::string note;
};

using Say = std::function<void(const std::string&)>;
PreparedRun prepareRun(const RunArguments& arguments, const Say& say);

// Zeros that mean "as fits" become what they mean on this machine.
RunSpec resolveSpec(RunSpec spec);
struct CheckedSpec {
    RunSpec spec;  // resolved
    Plan plan;
    std::vector<Problem> problems;
};
CheckedSpec checkAndPlan(const RunSpec& spec);
// Throws Error(badInput) with all sentences when one of the problems is an error; says the warnings.
void refuseProblems(const std::vector<Problem>& problems, const Say& say);

LaunchPlan launchPlan(const RunFolder& folder, const RunSpec& spec, bool resume, std::vector<std::string> settings);

// Takes back a folder that this program made and in which no training began.
bool withdrawRun(const PreparedRun& run);

}  // namespace unmask
