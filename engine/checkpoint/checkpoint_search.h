// SPDX-License-Identifier: Apache-2.0
// The walk back from the newest checkpoint to the first sound one, and what was passed over on the way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/training_state.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_folder.h"

namespace unmask {

enum class StateParts { weights, everything };

// What begin() has to do with a folder that still bears the name of a checkpoint.
struct FolderVerdict {
    std::string folder;
    std::string action;  // "bad", "superseded", "removed"
    std::string manifestHash;
    std::string reason;
    bool journalled = false;  // an earlier attempt said so and was killed before the rename
};

struct SearchResult {
    std::optional<LoadedCheckpoint> loaded;
    bool acknowledged = false;   // whether the journal already knows `loaded`
    std::vector<int64_t> sound;  // acknowledged steps at or below the loaded one, on disk; ascending
    std::vector<FolderVerdict> verdicts;
    std::vector<std::string> findings() const;  // the bad ones, for people
};

// Throws Error(noValidCheckpoint) when the journal acknowledges checkpoints and none is sound, and Error(badInput) when
// maxStep >= 0 and nothing sound lies at or below it. An empty runId accepts any run.
SearchResult searchCheckpoint(const RunFolder& folder, const std::string& runId, const JournalSummary& journal,
                              int64_t maxStep);

// Verifies one folder and reads it.
LoadedCheckpoint readCheckpoint(const std::filesystem::path& checkpointFolder, StateParts parts);

}  // namespace unmask
