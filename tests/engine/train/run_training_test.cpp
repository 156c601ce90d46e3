// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_training.h"

#include <gtest/gtest.h>

#include <sstream>

#include "engine/base/durable_file.h"
#include "engine/journal/run_state.h"
#include "tests/engine/train/run_journal.h"
#include "tests/golden/training_harness.h"

namespace unmask {
namespace {

using test::eventsOf;

class RunTrainingTest : public testing::Test {
 protected:
    RunTrainingTest() { setenv("UNMASK_CACHE", (m_data.path() / "cache").c_str(), 1); }
    RunSpec spec() {
        RunSpec made = test::tinySpec();
        made.data.files = {test::writeTinyData(m_data.path()).string()};
        made.training.steps = 6;
        return made;
    }
    ErrorCode run(const RunFolder& folder, bool resume = false,
                  std::vector<std::pair<std::string, std::string>> settings = {}) {
        std::ostringstream errors;
        const ErrorCode code = runTraining({folder, resume, std::move(settings)}, errors);
        m_errors = errors.str();
        return code;
    }
    test::TempFolder m_data;
    std::string m_errors;
};

TEST_F(RunTrainingTest, JournalTellsTheWholeStory) {
    const test::TempRun folder(spec());
    ASSERT_EQ(run(folder), ErrorCode::finished) << m_errors;
    const auto started = eventsOf<StartedEvent>(folder);
    ASSERT_EQ(started.size(), 1u);
    EXPECT_GT(started[0].parameters, 10000);
    EXPECT_GT(started[0].trainingSamples, 100);
    EXPECT_EQ(started[0].tokensPerStep, 8 * 32);
    std::vector<std::string> phases;
    for (const auto& phase : eventsOf<PhaseEvent>(folder))
        phases.push_back(phase.name);
    EXPECT_EQ(std::vector(phases.begin(), phases.begin() + 5),
              (std::vector<std::string>{"planning", "importing", "loading", "first step", "training"}));
    const auto finished = eventsOf<FinishedEvent>(folder);
    ASSERT_EQ(finished.size(), 1u);
    EXPECT_EQ(finished[0].outcome, "finished");
    EXPECT_EQ(finished[0].checkpoint, "step-6");
    const auto state = readRunState(folder);
    EXPECT_EQ(state->step, 6);
    EXPECT_EQ(state->durableSeq, test::recordsOf(folder).back().seq);  // the end record is known and durable
    EXPECT_FALSE(std::filesystem::exists(folder.folder().controlSocket()));
}

TEST_F(RunTrainingTest, ResumeExtendsAndRemembersWhatWasChanged) {
    const test::TempRun folder(spec());
    ASSERT_EQ(run(folder), ErrorCode::finished);
    EXPECT_EQ(run(folder), ErrorCode::badInput);  // trained before, and nobody said --resume
    EXPECT_NE(m_errors.find("--resume"), std::string::npos);
    ASSERT_EQ(run(folder, true, {{"steps", "8"}}), ErrorCode::finished) << m_errors;
    const auto resumed = eventsOf<ResumedEvent>(folder);
    ASSERT_EQ(resumed.size(), 1u);
    EXPECT_EQ(resumed[0].fromStep, 6);
    EXPECT_EQ(resumed[0].checkpoint, "step-6");
    EXPECT_EQ(resumed[0].changed, std::vector<std::string>{"training.steps: 6 → 8"});
    EXPECT_EQ(test::curveOf(folder, "train/loss").size(), 8u);
    ASSERT_EQ(run(folder, true), ErrorCode::finished);  // nothing left to do; 8 is still the goal
    EXPECT_EQ(test::curveOf(folder, "train/loss").size(), 8u);
    EXPECT_EQ(run(folder, true, {{"model.width", "64"}}), ErrorCode::badInput);
}

TEST_F(RunTrainingTest, ARunWhoseJournalIsGoneGoesOnFromItsCheckpointAndSaysSo) {
    const test::TempRun folder(spec());
    ASSERT_EQ(run(folder), ErrorCode::finished);
    std::filesystem::resize_file(folder.folder().path / "events.jsonl", 0);
    ASSERT_EQ(run(folder, true, {{"steps", "8"}}), ErrorCode::finished) << m_errors;
    const auto resumed = eventsOf<ResumedEvent>(folder);
    ASSERT_EQ(resumed.size(), 1u);
    EXPECT_EQ(resumed[0].checkpoint, "step-6");
    const auto warnings = eventsOf<WarningEvent>(folder);
    ASSERT_FALSE(warnings.empty());
    EXPECT_NE(warnings[0].text.find("journal of this run is gone"), std::string::npos) << warnings[0].text;
    EXPECT_EQ(test::curveOf(folder, "train/loss").size(), 2u);
}

TEST_F(RunTrainingTest, AnAttemptThatCannotGoOnKeepsTheGoalOfTheRun) {
    const test::TempRun folder(spec());
    ASSERT_EQ(run(folder, false, {{"steps", "8"}}), ErrorCode::finished) << m_errors;
    for (const auto& each : std::filesystem::directory_iterator(folder.folder().checkpoints()))
        std::filesystem::resize_file(each.path() / "manifest.json", 100);
    EXPECT_EQ(run(folder, true, {{"steps", "9"}}), ErrorCode::noValidCheckpoint);
    EXPECT_EQ(readRunState(folder)->totalSteps, 9);
    RunObserver observer(folder);
    EXPECT_EQ(observer.observe().word, RunWord::failed);
}

TEST_F(RunTrainingTest, WhatGoesWrongIsOneSentenceInJournalAndErrors) {
    RunSpec wrong = spec();
    wrong.data.files = {(m_data.path() / "missing.txt").string()};
    const test::TempRun folder(wrong);
    EXPECT_EQ(run(folder), ErrorCode::badInput);
    const auto failed = eventsOf<FailedEvent>(folder);
    ASSERT_EQ(failed.size(), 1u);
    EXPECT_EQ(failed[0].error, "bad_input");
    EXPECT_EQ(failed[0].exitCode, 20);
    EXPECT_EQ(failed[0].reason + "\n", m_errors);
    EXPECT_NE(m_errors.find("missing.txt"), std::string::npos);
}

TEST_F(RunTrainingTest, BatchThatCannotFitIsSaidBeforeTheStart) {
    RunSpec huge = spec();
    huge.model.width = 8192;
    huge.model.layers = 200;
    huge.model.heads = 64;
    const test::TempRun folder(huge);
    EXPECT_EQ(run(folder), ErrorCode::hostOutOfMemory) << m_errors;
    EXPECT_NE(m_errors.find("GiB"), std::string::npos) << m_errors;
    EXPECT_TRUE(eventsOf<StartedEvent>(folder).empty());
}

TEST_F(RunTrainingTest, MissingFolderAndUnsupportedDevice) {
    EXPECT_EQ(run(RunFolder{m_data.path() / "nowhere"}), ErrorCode::badInput);
    RunSpec gpu = spec();
    gpu.training.device = DeviceChoice::cuda;
    const test::TempRun folder(gpu);
    EXPECT_EQ(run(folder), ErrorCode::badInput);
    EXPECT_NE(m_errors.find("CPU"), std::string::npos) << m_errors;
}

}  // namespace
}  // namespace unmask
