// SPDX-License-Identifier: Apache-2.0
// RunSpec as JSON (the form of run.json and run files) and the checks every way of starting shares.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/protocol/run_spec.h"

namespace unmask {

Json specToJson(const RunSpec& spec);  // every field, defaults included
// Reads onto `base`. Unknown keys, wrong types and values out of range are errors, all named in one message, with the
// nearest name for a misspelling. Accepts a bare spec or an object that has it under "spec".
Result<RunSpec> specFromJson(const Json& json, const RunSpec& base = {});
Result<RunSpec> readRunFile(const std::filesystem::path& file, const RunSpec& base = {});

enum class Severity { error, warning };
// Something to mend before starting; shown beside its field.
struct Problem {
    std::string path;  // setting, "model.heads"; empty when it concerns the whole
    Severity severity = Severity::error;
    std::string en;
    std::string zh;
};
// Ranges and rules between fields. Legality of layouts and memory are the planner's.
std::vector<Problem> checkSpec(const RunSpec& spec);
bool hasErrors(const std::vector<Problem>& problems);

}  // namespace unmask
