// SPDX-License-Identifier: Apache-2.0
#include "engine/train/live_settings.h"

#include <gtest/gtest.h>

#include "engine/journal/event_writer.h"
#include "tests/engine/train/run_journal.h"

namespace unmask {
namespace {

TEST(LiveSettings, ChangesWhatMayChangeAndSaysFromWhatToWhat) {
    RunSpec spec;
    EXPECT_EQ(applyLiveSetting(spec, "training.steps", 1500).orThrow(), "training.steps: 1000 → 1500");
    EXPECT_EQ(applyLiveSetting(spec, "steps", 1500).orThrow(), "");
    EXPECT_EQ(applySettingText(spec, "checkpoint_interval", "10min").orThrow(),
              "checkpoint.checkpoint_interval: 1000 → \"10min\"");
    EXPECT_EQ(spec.training.steps, 1500);
}

TEST(LiveSettings, RefusesTheRestInWordsAndLeavesTheSpecAlone) {
    RunSpec spec;
    const RunSpec before = spec;
    EXPECT_FALSE(applyLiveSetting(spec, "model.width", 64).ok());
    EXPECT_FALSE(applyLiveSetting(spec, "training.steps", -3).ok());
    EXPECT_FALSE(applyLiveSetting(spec, "training.stepps", 3).ok());
    EXPECT_FALSE(applyLiveSetting(spec, "parallel.micro_batch_size", 2).ok());  // on a resume only
    EXPECT_TRUE(applySettingText(spec, "parallel.micro_batch_size", "2").ok());
    spec.parallel.microBatchSize = 0;
    EXPECT_EQ(spec, before);
}

TEST(LiveSettings, LaterAttemptsGoOnWithWhatWasChanged) {
    const test::TempRun run;
    auto journal = EventWriter::open(run.folder(), 1);
    journal.append(1, CommandEvent{"a", "set", true, "training.steps: 1000 → 1500"});
    journal.append(1, CommandEvent{"b", "set", false, "training.steps: 1500 → 7"});
    journal.append(1, CommandEvent{"c", "checkpoint", true, "training.steps: 1500 → 8"});
    journal.append(2, ResumedEvent{.changed = {"optimizer.learning_rate: 0.0003 → 0.0001",
                                               "sampling.prompt: \"\" → \"to: be → not\""}});
    RunSpec spec;
    replayChanges(spec, run.folder());
    EXPECT_EQ(spec.training.steps, 1500);
    EXPECT_EQ(spec.optimizer.learningRate, 1e-4);
    EXPECT_EQ(spec.sampling.prompt, "to: be → not");
}

}  // namespace
}  // namespace unmask
