// SPDX-License-Identifier: Apache-2.0
// The store over real folders: save and load, damage of every kind, quarantine, retention, roll-back, left-overs.
#include "engine/checkpoint/checkpoint_store.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/journal/event_reader.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kRunId = "temp-20260101-000000-0001";

TrainingStateView stateOf(double value) {
    TrainingStateView state;
    state.weights = {{"embedding", at::full({4, 3}, value, at::kFloat)},
                     {"blocks.0.query", at::full({3, 3}, value + 0.25, at::kDouble)}};
    state.optimizer = {{"adam_m.embedding", at::full({4, 3}, value / 8, at::kFloat)},
                       {"adam_v.embedding", at::full({4, 3}, value / 4, at::kBFloat16)}};
    state.counters = {{"step", static_cast<int64_t>(value)}, {"tokens", 17}, {"best", 0.1}};
    return state;
}

void expectState(const LoadedCheckpoint& loaded, double value) {
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

std::vector<std::string> foldersOf(const RunFolder& run) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(run.checkpoints()))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string reasonOf(const RunFolder& run, const std::string& folder) {
    return summariseJournal(run).lastCheckpoint.at(folder).reason;
}

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

TEST(CheckpointStore, aModelOfAnotherShapeIsRefusedAndNothingIsRenamed) {
    const test::TempRun run;
    { Attempt(run).save(5); }
    CheckpointStore store(run, {}, kRunId);
    const auto loaded = store.loadNewest();
    const auto refusal = [&](TrainingStateView target) -> std::string {
        try {
            restoreState(*loaded, target);
            return "accepted";
        } catch (const Error& error) {
            return error.what();
        }
    };
    TrainingStateView target = stateOf(0);
    target.weights[0].tensor = at::zeros({4, 4});
    EXPECT_THAT(refusal(target), HasSubstr("embedding is [4, 3], the model needs [4, 4]"));
    target = stateOf(0);
    target.weights[1].tensor = at::zeros({3, 3});
    EXPECT_THAT(refusal(target), HasSubstr("blocks.0.query is Double, the model needs Float"));
    target = stateOf(0);
    target.weights[0].name = "other";
    EXPECT_THAT(refusal(target), HasSubstr("it has no tensor other"));
    target = stateOf(0);
    target.weights.pop_back();
    EXPECT_THAT(refusal(target), HasSubstr("the model has no tensor blocks.0.query"));
    EXPECT_EQ(target.weights[0].tensor.sum().item<double>(), 0) << "nothing was copied";
    EXPECT_THAT(foldersOf(run), ElementsAre("step-5"));
}

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

TEST(CheckpointDamage, everyBitOfHeadersAndRandomBitsOfTheRestAreFound) {
    const test::TempRun run;
    { Attempt(run).save(20); }
    const fs::path folder = run.folder().checkpoints() / "step-20";
    std::mt19937 random(20261201);
    size_t flips = 0;
    size_t found = 0;
    for (const auto* name : {"manifest.json", "weights.safetensors", "optimizer.safetensors"}) {
        const std::string good = test::readBytes(folder / name);
        const bool tensors = std::string_view(name) != "manifest.json";
        const size_t header = tensors ? SafetensorsReader(folder / name).header().dataStart : good.size();
        for (size_t byte = 0; byte < good.size(); ++byte)
            for (int bit = 0; bit < 8; ++bit) {
                if (byte >= header && random() % 4 != 0)
                    continue;
                test::flipBit(folder / name, byte, bit);
                ++flips;
                try {
                    readCheckpoint(folder, StateParts::everything);
                    ADD_FAILURE() << name << " byte " << byte << " bit " << bit;
                } catch (const Error& error) {
                    found += std::string_view(error.what()).find(name) != std::string_view::npos ? 1 : 0;
                }
                test::flipBit(folder / name, byte, bit);
            }
    }
    EXPECT_EQ(found, flips) << "each message names its file";
    EXPECT_GT(flips, 10000u);
    EXPECT_NO_THROW(readCheckpoint(folder, StateParts::everything));
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

TEST(CheckpointStore, aFullVolumeIsSaidInWords) {
    try {
        requireFreeSpace("/tmp", uint64_t{1} << 60);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::disk);
        EXPECT_THAT(error.what(), HasSubstr("for a checkpoint; the volume of /tmp has"));
    }
}

TEST(Manifest, roundTripAndStepNames) {
    Manifest manifest;
    manifest.runId = "r";
    manifest.step = 12;
    manifest.files = {{"a.safetensors", 5, std::string(64, 'a'), {{"t", "F32", {1, 2}, std::string(64, 'b')}}}};
    manifest.counters = {{"x", 0.1}};
    const auto back = decodeManifest(encodeManifest(manifest));
    ASSERT_TRUE(back.ok()) << back.error().what();
    EXPECT_EQ(back.value(), manifest);
    manifest.files[0].name = "../a";
    EXPECT_FALSE(decodeManifest(encodeManifest(manifest)).ok());
    manifest.files[0].name = "a";
    manifest.version = 2;
    const auto newer = decodeManifest(encodeManifest(manifest));
    ASSERT_FALSE(newer.ok());
    EXPECT_THAT(newer.error().what(), HasSubstr("newer than this program"));
    EXPECT_EQ(stepOfFolder("step-10"), 10);
    for (const auto* name :
         {"step-", "step-01", "step--1", "step-1.tmp", "step-1 ", "xstep-1", "step-99999999999999999999"})
        EXPECT_FALSE(stepOfFolder(name).has_value()) << name;
}

}  // namespace
}  // namespace unmask
