// SPDX-License-Identifier: Apache-2.0
// Which layouts are legal for a model and a set of machines, with the reason in words, and the legal one nearest to one
// that is not. What the engine of this version carries out is a matter of its own: engineLimits.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/planner/machine_set.h"
#include "engine/protocol/spec_json.h"

namespace unmask {

// What must divide, and which kinds of parallelism exclude each other. Errors refuse, warnings say what is wasted.
std::vector<Problem> layoutRules(const RunSpec& spec);
// As many ranks as there are devices; groups that talk much inside a node. Ranks of a CPU may outnumber its cores.
std::vector<Problem> machineRules(const ParallelConfig& parallel, const MachineSet& machines);
// What this version cannot carry out yet, in a build with its GPU half or without. The engine refuses a run by this
// very list (layoutProblems), so planner and engine cannot disagree.
std::vector<Problem> engineLimits(const RunSpec& spec, bool gpuBuild);
// The same of a run on these machines, whatever is here.
std::vector<Problem> engineLimits(const RunSpec& spec, const MachineSet& machines);

enum class Reach { legal, runsToday };
// Without machines any number of ranks is legal.
bool isLegalLayout(const RunSpec& spec, const MachineSet* machines = nullptr, Reach reach = Reach::legal);

// The legal layout with the fewest and smallest changes; the layout itself when it is legal, nothing when there is
// none.
std::optional<ParallelConfig> nearestLegalLayout(const RunSpec& spec, const MachineSet* machines = nullptr,
                                                 Reach reach = Reach::legal);

// Sizes of a tensor, pipeline, … group that the model itself allows, ascending, none above `most`. `path` is a setting.
std::vector<int64_t> legalSizes(const RunSpec& spec, std::string_view path, int64_t most);

Sentence layoutWords(const ParallelConfig& parallel);  // "data 2 × tensor 4, ZeRO-1"; "one device"

}  // namespace unmask
