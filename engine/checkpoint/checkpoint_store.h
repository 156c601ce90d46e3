// SPDX-License-Identifier: Apache-2.0
// Checkpoints of the run whose lock this process holds. A save is a publication: host copy, scan, temporary folder,
// rename, read back, acknowledgement in the journal; only what is acknowledged counts. Order of use:
//
//   CheckpointStore store(folder, config, runId);
//   auto loaded = store.loadNewest();          // verified; none when the journal acknowledges none: begin at step 0
//   … restoreState(*loaded, view), EventWriter::open, append StartedEvent or ResumedEvent …
//   store.begin(writer);                       // journals what loading found, renames bad and newer folders, cleans up
//   store.save(step, view);                    // returns after the host copy
//   store.wait();                              // before the end record
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/checkpoint_search.h"
#include "engine/checkpoint/training_state.h"
#include "engine/journal/event_writer.h"
#include "engine/journal/run_folder.h"
#include "engine/protocol/training_config.h"

namespace unmask {

class CheckpointStore {
 public:
    CheckpointStore(RunFolder folder, const CheckpointConfig& config, std::string runId);
    ~CheckpointStore();  // waits for the save in flight
    CheckpointStore(const CheckpointStore&) = delete;
    CheckpointStore& operator=(const CheckpointStore&) = delete;

    // Walks back from the newest folder until one verifies, byte by byte. Error(noValidCheckpoint) when checkpoints
    // were acknowledged and none is sound: training never begins again in silence. Writes nothing; what was found bad
    // is kept for begin(). Error(badInput) when `maxStep` >= 0 and no sound checkpoint at or below it exists.
    std::optional<LoadedCheckpoint> loadNewest(int64_t maxStep = -1);
    // What loadNewest passed over, in sentences for people: "step-300: weights.safetensors does not match its hash".
    const std::vector<std::string>& findings() const;

    // After the first record of this attempt is in the journal. `writer` must outlive the store.
    void begin(EventWriter& writer);

    // Copies the tensors, then writes in a thread of its own; waits first if the save before is still in flight. Does
    // nothing when this step is already acknowledged. Errors of the disk do not stop the training: after two failed
    // tries a warning record says what happened and the older checkpoints stay. Error(internal) before begin().
    void save(int64_t step, const TrainingStateView& state);
    void wait();                    // until the last save is acknowledged or given up
    int64_t lastSavedStep() const;  // acknowledged, in this attempt or before; -1 when there is none
    std::string lastSavedFolder() const;
    std::optional<Error> lastFailure() const;  // of the newest save; none when it succeeded
    void setConfig(const CheckpointConfig& config);

 private:
    class State;
    std::unique_ptr<State> m_state;
};

// For readers without the lock (sampling, evaluation, export): the newest acknowledged checkpoint that verifies.
LoadedCheckpoint readNewestCheckpoint(const RunFolder& folder, StateParts parts);

}  // namespace unmask
