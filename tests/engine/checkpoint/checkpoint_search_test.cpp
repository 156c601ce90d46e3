// SPDX-License-Identifier: Apache-2.0
// The walk back: damage of every kind, roll-back, and what a killed writer left half done.
#include "engine/checkpoint/checkpoint_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/checkpoint/checkpoint_folder.h"
#include "tests/engine/checkpoint/checkpoint_attempt.h"

namespace unmask {
namespace {
namespace fs = std::filesystem;
using test::Attempt;
using test::expectState;
using test::foldersOf;
using test::kRunId;
using test::reasonOf;
using test::stateOf;
using testing::ElementsAre;
using testing::HasSubstr;

// What happens to step-20 in `spoil`: it must be found, set aside, journalled, and step-10 used.
void expectFallBack(const std::function<void(const fs::path&)>& spoil, const std::string& reason) {
    const test::TempRun run;
    {
        Attempt attempt(run);
        attempt.save(10);
        attempt.save(20);
    }
    spoil(run.folder().checkpoints() / "step-20");
    Attempt attempt(run);
    ASSERT_TRUE(attempt.loaded.has_value());
    EXPECT_EQ(attempt.loaded->step, 10) << reason;
    expectState(*attempt.loaded, 10);
    EXPECT_THAT(attempt.store.findings(), ElementsAre(HasSubstr(reason)));
    EXPECT_THAT(foldersOf(run), ElementsAre("bad-step-20", "step-10"));
    EXPECT_EQ(summariseJournal(run).lastCheckpoint.at("step-20").action, "bad");
    EXPECT_THAT(reasonOf(run, "step-20"), HasSubstr(reason));
    attempt.save(20);
    EXPECT_EQ(attempt.store.lastSavedStep(), 20);
}

TEST(CheckpointDamage, everyKindIsFoundAndOneIsGoneBack) {
    const auto cut = [](const fs::path& file, uintmax_t bytes) { fs::resize_file(file, fs::file_size(file) - bytes); };
    expectFallBack([&](const fs::path& f) { cut(f / "weights.safetensors", 1); }, "bytes, the manifest says");
    expectFallBack([&](const fs::path& f) { fs::resize_file(f / "optimizer.safetensors", 0); }, "has 0 bytes");
    expectFallBack([&](const fs::path& f) { cut(f / "manifest.json", 1); }, "manifest.json");
    expectFallBack([&](const fs::path& f) { fs::resize_file(f / "manifest.json", 0); }, "cut short");
    expectFallBack([&](const fs::path& f) { fs::remove(f / "manifest.json"); }, "missing");
    expectFallBack([&](const fs::path& f) { fs::remove(f / "optimizer.safetensors"); }, "the file is missing");
    expectFallBack([&](const fs::path& f) { test::writeBytes(f / "extra", "x"); }, "does not know this file");
    expectFallBack([&](const fs::path& f) { fs::create_directory(f / "folder"); }, "does not know this file");
    expectFallBack(
        [&](const fs::path& f) {
            fs::rename(f / "weights.safetensors", f.parent_path() / "w");
            fs::create_symlink("../w", f / "weights.safetensors");
            fs::copy_file(f.parent_path() / "w", f.parent_path().parent_path() / "w");
            fs::remove(f.parent_path() / "w");
        },
        "not a plain file");
    expectFallBack(
        [&](const fs::path& f) {
            const auto manifest = f.parent_path().parent_path() / "m";
            fs::rename(f / "manifest.json", manifest);
            fs::create_symlink(manifest, f / "manifest.json");
        },
        "not a plain file");
    // Sound files of another step under this name.
    expectFallBack(
        [&](const fs::path& f) {
            for (const auto* name : {"manifest.json", "weights.safetensors", "optimizer.safetensors"})
                fs::copy_file(f.parent_path() / "step-10" / name, f / name, fs::copy_options::overwrite_existing);
        },
        "not the one that was acknowledged");
    expectFallBack(
        [&](const fs::path& f) {
            fs::copy_file(f.parent_path() / "step-10" / "weights.safetensors", f / "weights.safetensors",
                          fs::copy_options::overwrite_existing);
        },
        "does not match its hash");
}

TEST(CheckpointDamage, noneSoundIsAnErrorAndNothingIsTouched) {
    const test::TempRun run;
    {
        Attempt attempt(run);
        attempt.save(10);
        attempt.save(20);
    }
    for (const auto* step : {"step-10", "step-20"})
        test::flipBit(run.folder().checkpoints() / step / "weights.safetensors", 250, 2);
    const auto before = test::readBytes(run.folder().eventsFile());
    CheckpointStore store(run, {}, kRunId);
    try {
        store.loadNewest();
        FAIL() << "begins again in silence";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::noValidCheckpoint);
        EXPECT_THAT(error.what(), HasSubstr("step-10"));
        EXPECT_THAT(error.what(), HasSubstr("step-20"));
    }
    EXPECT_THAT(foldersOf(run), ElementsAre("step-10", "step-20"));
    EXPECT_EQ(test::readBytes(run.folder().eventsFile()), before);
    EXPECT_THROW(store.save(30, stateOf(30)), Error);
    fs::remove_all(run.folder().checkpoints() / "step-10");
    fs::remove_all(run.folder().checkpoints() / "step-20");
    EXPECT_THROW(CheckpointStore(run, {}, kRunId).loadNewest(), Error) << "deleted folders are no fresh start";
}

TEST(CheckpointDamage, aFolderOfAnotherRunIsNotTaken) {
    const test::TempRun run;
    { Attempt(run).save(10); }
    const test::TempRun other;
    fs::copy(run.folder().checkpoints() / "step-10", other.folder().checkpoints() / "step-10");
    CheckpointStore store(other, {}, "another-run");
    EXPECT_FALSE(store.loadNewest().has_value());
    EXPECT_THAT(store.findings(), ElementsAre(HasSubstr("belongs to the run " + kRunId)));
}

TEST(CheckpointStore, rollBackSupersedesNewerFolders) {
    const test::TempRun run;
    {
        Attempt attempt(run, 5);
        for (const int64_t step : {10, 20, 30})
            attempt.save(step);
    }
    EXPECT_THROW(CheckpointStore(run, {}, kRunId).loadNewest(9), Error);
    {
        Attempt attempt(run, 5, 15);
        EXPECT_EQ(attempt.loaded->step, 10);
        EXPECT_THAT(foldersOf(run), ElementsAre("step-10", "superseded-step-20", "superseded-step-30"));
        attempt.save(20);
    }
    EXPECT_EQ(Attempt(run).loaded->step, 20);
    Attempt(run, 5, 10);
    EXPECT_THAT(foldersOf(run),
                ElementsAre("step-10", "superseded-step-20", "superseded-step-20.2", "superseded-step-30"));
}

TEST(CheckpointStore, intentsOfAKilledWriterAreFinished) {
    const test::TempRun run;
    std::string hash20;
    std::string hash10;
    {
        Attempt attempt(run, 5);
        for (const int64_t step : {5, 10, 15, 20})
            attempt.save(step);
        hash20 = readManifest(run.folder().checkpoints() / "step-20").hash;
        hash10 = readManifest(run.folder().checkpoints() / "step-10").hash;
        // Killed after the words were durable and before the renames.
        attempt.writer.append(20, CheckpointEvent{"superseded", "step-20", hash20, "", 0});
        attempt.writer.append(20, CheckpointEvent{"removed", "step-10", hash10, "", 0});
    }
    Attempt attempt(run, 5);
    EXPECT_EQ(attempt.loaded->step, 15);
    EXPECT_THAT(foldersOf(run), ElementsAre("step-15", "step-5", "superseded-step-20"));
}

TEST(CheckpointStore, aPublishedFolderWhoseRecordIsMissingIsAcknowledgedLate) {
    const test::TempRun run;
    { Attempt(run).save(10); }
    fs::remove(run.folder().eventsFile());  // killed between rename and record
    {
        Attempt attempt(run);
        ASSERT_TRUE(attempt.loaded.has_value());
        EXPECT_EQ(attempt.loaded->step, 10);
        EXPECT_EQ(attempt.store.lastSavedStep(), 10);
    }
    EXPECT_THAT(summariseJournal(run).savedCheckpoints, ElementsAre("step-10"));
}

TEST(CheckpointStore, aCheckpointThatFailsTwiceIsPassedOver) {
    const test::TempRun run;
    {
        Attempt attempt(run);
        attempt.save(10);
        attempt.save(20);
        attempt.writer.append(25, FailedEvent{"non_finite", "", 23});
    }
    for (int failures = 0; failures < 2; ++failures) {
        Attempt attempt(run);
        ASSERT_EQ(attempt.loaded->step, 20);
        attempt.writer.append(25, FailedEvent{"non_finite", "", 23});
    }
    Attempt attempt(run);
    EXPECT_EQ(attempt.loaded->step, 10);
    EXPECT_THAT(foldersOf(run), ElementsAre("step-10", "superseded-step-20"));
}

}  // namespace
}  // namespace unmask
