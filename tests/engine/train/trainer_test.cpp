// SPDX-License-Identifier: Apache-2.0
#include "engine/train/trainer.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/checkpoint/checkpoint_store.h"
#include "tests/engine/train/run_journal.h"
#include "tests/golden/training_harness.h"

namespace unmask {
namespace {

class TrainerTest : public testing::Test {
 protected:
    TrainerTest() {
        setenv("UNMASK_CACHE", (m_folder.path() / "cache").c_str(), 1);
        test::writeTinyData(m_folder.path());
        test::writeBytes(m_folder.path() / "validation.txt", "a river, a stone, the tide and what else there is");
    }
    Trainer trainer() {
        Trainer made("first-steps", ParallelConfig{}, m_folder.path() / "run");
        const RunSpec tiny = test::tinySpec();
        made.spec().model = tiny.model;
        made.spec().training.threads = 1;
        made.spec().validation.interval = Interval::steps(10);
        return made;
    }
    test::TempFolder m_folder;
};

TEST_F(TrainerTest, TrainsByEpochsAndLeavesARunFolderBehind) {
    const auto summary =
        trainer().train(m_folder.path() / "documents.jsonl", m_folder.path() / "validation.txt", 2, 16);
    EXPECT_GT(summary.steps, 10);
    EXPECT_EQ(summary.steps % 2, 0);
    EXPECT_LT(summary.validationLoss, 5);
    const RunFolder folder{m_folder.path() / "run"};
    const auto started = test::eventsOf<StartedEvent>(folder);
    ASSERT_EQ(started.size(), 1u);
    EXPECT_EQ(started[0].validationSamples,
              2);  // 50 tokens in pieces of 32: all of the file, none of the training data
    EXPECT_EQ(readCheckpoint(summary.checkpoint, StateParts::weights).step, summary.steps);
    // The folder belongs to a finished run now: going on with it does nothing.
    EXPECT_EQ(trainer().train(m_folder.path() / "documents.jsonl", {}, 2, 16).steps, summary.steps);
}

TEST_F(TrainerTest, ErrorsAreThrownInWords) {
    EXPECT_THROW(Trainer("no-such-model", ParallelConfig{}, m_folder.path() / "run"), Error);
    EXPECT_THROW(trainer().train(m_folder.path() / "missing.txt", {}, 1, 16), Error);
}

}  // namespace
}  // namespace unmask
