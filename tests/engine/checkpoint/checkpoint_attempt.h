// SPDX-License-Identifier: Apache-2.0
// A small training state and one attempt at a run: loads, takes the journal, begins. Shared by the tests of this room.
#pragma once

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/checkpoint_store.h"
#include "engine/journal/event_reader.h"
#include "tests/support/temp_run.h"

namespace unmask::test {

inline const std::string kRunId = "temp-20260101-000000-0001";

inline TrainingStateView stateOf(double value) {
    TrainingStateView state;
    state.weights = {{"embedding", at::full({4, 3}, value, at::kFloat)},
                     {"blocks.0.query", at::full({3, 3}, value + 0.25, at::kDouble)}};
    state.optimizer = {{"adam_m.embedding", at::full({4, 3}, value / 8, at::kFloat)},
                       {"adam_v.embedding", at::full({4, 3}, value / 4, at::kBFloat16)}};
    state.counters = {{"step", static_cast<int64_t>(value)}, {"tokens", 17}, {"best", 0.1}};
    return state;
}

inline void expectState(const LoadedCheckpoint& loaded, double value) {
    TrainingStateView target = stateOf(-1);
    restoreState(loaded, target);
    const TrainingStateView expected = stateOf(value);
    for (size_t i = 0; i < expected.weights.size(); ++i)
        EXPECT_TRUE(at::equal(target.weights[i].tensor, expected.weights[i].tensor)) << value;
    for (size_t i = 0; i < expected.optimizer.size(); ++i)
        EXPECT_TRUE(at::equal(target.optimizer[i].tensor, expected.optimizer[i].tensor)) << value;
    EXPECT_EQ(loaded.counters, expected.counters);
}

// One attempt at a run: loads, takes the journal, begins.
struct Attempt {
    explicit Attempt(const RunFolder& folder, int64_t keepLast = 3, int64_t maxStep = -1)
        : store(folder, {Interval::steps(1), keepLast}, kRunId),
          loaded(store.loadNewest(maxStep)),
          writer(EventWriter::open(folder, summariseJournal(folder).lastAttempt + 1)) {
        writer.append(
            0, ResumedEvent{loaded ? loaded->step : 0, writer.lastSeq(), loaded ? loaded->folder : "", "", "", {}});
        store.begin(writer);
    }
    void save(int64_t step) {
        store.save(step, stateOf(static_cast<double>(step)));
        store.wait();
    }
    CheckpointStore store;
    std::optional<LoadedCheckpoint> loaded;
    EventWriter writer;
};

inline std::vector<std::string> foldersOf(const RunFolder& run) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(run.checkpoints()))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

inline std::string reasonOf(const RunFolder& run, const std::string& folder) {
    return summariseJournal(run).lastCheckpoint.at(folder).reason;
}

}  // namespace unmask::test
