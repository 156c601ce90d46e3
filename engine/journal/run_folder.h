// SPDX-License-Identifier: Apache-2.0
// Names of everything in a run folder, run ids, and run.json, which never changes after the start.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/base/json.h"
#include "engine/protocol/run_spec.h"

namespace unmask {

struct RunFolder {
    std::filesystem::path path;

    std::filesystem::path runFile() const { return path / "run.json"; }
    std::filesystem::path eventsFile() const { return path / "events.jsonl"; }
    std::filesystem::path stateFile() const { return path / "state.json"; }
    std::filesystem::path exitFile() const { return path / "exit.json"; }
    std::filesystem::path lockFile() const { return path / "lock"; }
    std::filesystem::path controlSocket() const { return path / "control.sock"; }
    std::filesystem::path controlToken() const { return path / "control.token"; }
    std::filesystem::path checkpoints() const { return path / "checkpoints"; }
    std::filesystem::path samples() const { return path / "samples"; }
    std::filesystem::path logs() const { return path / "logs"; }
};

struct RunDescription {
    std::string id;  // [a-z0-9-]{1,64}, the run's identity in history
    std::string name;
    RunSpec spec;  // as started, every default resolved
    int formatVersion = 1;
    std::string codeVersion;
    std::string created;   // UTC
    std::string dataHash;  // of the token store
    std::string tokenizerHash;
    std::string parent;  // id of the run this one was made from; empty when none
};

std::string newRunId(std::string_view shortName);  // "first-steps-20261201-100000-7f3a"
bool isRunId(std::string_view text);

Json runDescriptionToJson(const RunDescription& description);
// Refuses a newer format version in words; keeps reading what it can is the caller's choice.
Result<RunDescription> readRunDescription(const RunFolder& folder);
// Error(badInput) unless nothing is there, or an empty folder, or what a start left that was killed before run.json.
void requireFreeForARun(const RunFolder& folder);
// Makes the folder (0755) with run.json, logs/, checkpoints/, samples/, all durable; refuses as above.
void createRunFolder(const RunFolder& folder, const RunDescription& description);

// A folder path, or the id of a run below runsFolder(). The error names what was looked for.
Result<RunFolder> findRun(std::string_view folderOrId);

}  // namespace unmask
