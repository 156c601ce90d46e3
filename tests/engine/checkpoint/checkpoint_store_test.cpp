// SPDX-License-Identifier: Apache-2.0
// The store over real folders: save and load, quarantine, retention, left-overs.
#include "engine/checkpoint/checkpoint_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/checkpoint/checkpoint_folder.h"
#include "tests/engine/checkpoint/checkpoint_attempt.h"

namespace unmask {
namespace {
namespace fs = std::filesystem;
using test::Attempt;
using test::expectState;
using test::foldersOf;
using test::kRunId;
using test::stateOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CheckpointStore, savesAndLoads) {
    const test::TempRun run;
    {
        Attempt first(run);
        EXPECT_FALSE(first.loaded.has_value());
        EXPECT_EQ(first.store.lastSavedStep(), -1);
        first.save(7);
        first.save(14);
        EXPECT_EQ(first.store.lastSavedFolder(), "step-14");
        EXPECT_FALSE(first.store.lastFailure().has_value());
        EXPECT_EQ(first.writer.durableSeq(), first.writer.lastSeq());
    }
    Attempt second(run);
    ASSERT_TRUE(second.loaded.has_value());
    EXPECT_EQ(second.loaded->step, 14);
    expectState(*second.loaded, 14);
    EXPECT_EQ(second.loaded->manifestHash, summariseJournal(run).lastCheckpoint.at("step-14").manifestHash);
    const auto weights = readNewestCheckpoint(run, StateParts::weights);
    EXPECT_EQ(weights.step, 14);
    EXPECT_TRUE(weights.optimizer.empty());
    restoreWeights(weights, stateOf(0).weights);
}

TEST(CheckpointStore, whatAReaderPassesOverIsSaid) {
    const test::TempRun run;
    {
        Attempt attempt(run);
        attempt.save(7);
        attempt.save(14);
    }
    std::filesystem::resize_file(run.folder().checkpoints() / "step-14" / "weights.safetensors", 100);
    const auto weights = readNewestCheckpoint(run, StateParts::weights);
    EXPECT_EQ(weights.step, 7);
    EXPECT_THAT(weights.passedOver, ElementsAre(testing::StartsWith("step-14: ")));
}

TEST(CheckpointStore, laterValuesAreNotSaved) {
    const test::TempRun run;
    {
        Attempt attempt(run);
        TrainingStateView state = stateOf(5);
        attempt.store.save(5, state);
        for (auto& tensor : state.weights)
            tensor.tensor.fill_(1e9);
        for (auto& tensor : state.optimizer)
            tensor.tensor.fill_(1e9);
        attempt.store.wait();
    }
    expectState(*Attempt(run).loaded, 5);
}

TEST(CheckpointStore, theSameStepIsSavedOnce) {
    const test::TempRun run;
    Attempt attempt(run);
    attempt.save(5);
    const auto seq = attempt.writer.lastSeq();
    attempt.save(5);
    EXPECT_EQ(attempt.writer.lastSeq(), seq);
    EXPECT_FALSE(attempt.store.lastFailure().has_value());
}

TEST(CheckpointStore, nothingIsSavedBeforeALoad) {
    const test::TempRun run;
    { Attempt(run).save(5); }
    CheckpointStore store(run, {}, kRunId);
    EXPECT_THROW(store.save(6, stateOf(6)), Error);
    auto writer = EventWriter::open(run, 9);
    EXPECT_THROW(store.begin(writer), Error) << "folders are there and none was loaded";
}

TEST(CheckpointStore, retentionKeepsTheNewestAndTheOneResumedFrom) {
    const test::TempRun run;
    {
        Attempt attempt(run, 2);
        for (const int64_t step : {5, 9, 10, 11, 100})
            attempt.save(step);
        EXPECT_THAT(foldersOf(run), ElementsAre("step-100", "step-11"));
        EXPECT_THAT(summariseJournal(run).savedCheckpoints, ElementsAre("step-11", "step-100"));
    }
    Attempt attempt(run, 2);
    attempt.save(101);
    EXPECT_THAT(foldersOf(run), ElementsAre("step-100", "step-101"));
    attempt.save(102);
    EXPECT_THAT(foldersOf(run), ElementsAre("step-101", "step-102"));
}

TEST(CheckpointStore, nonFiniteStateIsKeptApartAndNeverCounts) {
    const test::TempRun run;
    {
        Attempt attempt(run, 2);
        attempt.save(1);
        attempt.save(2);
        for (int64_t step = 3; step < 8; ++step) {
            TrainingStateView state = stateOf(static_cast<double>(step));
            state.optimizer[1].tensor[1][1] =
                step % 2 ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::infinity();
            attempt.store.save(step, state);
            attempt.store.wait();
            ASSERT_TRUE(attempt.store.lastFailure().has_value());
            EXPECT_EQ(attempt.store.lastFailure()->code(), ErrorCode::nonFinite);
            EXPECT_EQ(attempt.store.lastSavedStep(), 2);
        }
        EXPECT_THAT(foldersOf(run), ElementsAre("quarantine-step-6", "quarantine-step-7", "step-1", "step-2"));
        EXPECT_THAT(summariseJournal(run).lastCheckpoint.at("quarantine-step-7").reason, HasSubstr("adam_v.embedding"));
    }
    EXPECT_EQ(Attempt(run).loaded->step, 2);
}

TEST(CheckpointStore, leftOversOfDeadWritersAreRemoved) {
    const test::TempRun run;
    { Attempt(run).save(10); }
    for (const auto* name :
         {"step-20.tmp-0011223344556677", ".trash-step-3-00", "step-0x20", "step-020", "step-10 copy"})
        fs::create_directory(run.folder().checkpoints() / name);
    test::writeBytes(run.folder().checkpoints() / "step-30", "a file is no checkpoint");
    fs::create_directory_symlink("step-10", run.folder().checkpoints() / "step-40");
    EXPECT_EQ(Attempt(run).loaded->step, 10);
    EXPECT_THAT(foldersOf(run), ElementsAre("step-020", "step-0x20", "step-10", "step-10 copy", "step-30", "step-40"));
}

}  // namespace
}  // namespace unmask
