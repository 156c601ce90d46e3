// SPDX-License-Identifier: Apache-2.0
// What a resume knows of the attempts before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/journal/event_reader.h"
#include "engine/journal/event_writer.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {
using test::TempRun;
using testing::ElementsAre;

MetricsEvent loss(double value) {
    MetricsEvent event;
    event.values["train/loss"] = value;
    return event;
}

TEST(JournalSummary, summaryFoldsAttempts) {
    const TempRun run;
    {
        auto writer = EventWriter::open(run, 1);
        writer.append(0, StartedEvent{});
        writer.append(0, PhaseEvent{"training", ""});
        writer.append(10, CheckpointEvent{"saved", "step-10", "aa", "", 1});
        writer.append(20, CheckpointEvent{"saved", "step-20", "bb", "", 1});
        writer.append(25, FailedEvent{"non_finite", "the loss is NaN", 23});
    }
    auto summary = summariseJournal(run);
    EXPECT_THAT(summary.savedCheckpoints, ElementsAre("step-10", "step-20"));
    EXPECT_EQ(summary.failed->exitCode, 23);
    EXPECT_EQ(summary.lastStep, 25);
    {
        auto writer = EventWriter::open(run, 2);
        writer.append(20, ResumedEvent{20, 5, "step-20", "", "", {}});
        writer.append(21, loss(1.5));
        writer.append(22, FailedEvent{"non_finite", "the loss is NaN", 23});
    }
    summary = summariseJournal(run);
    EXPECT_EQ(summary.failuresSince.at("step-20"), 1);
    EXPECT_EQ(summary.lastStep, 22);
    {
        auto writer = EventWriter::open(run, 3);
        writer.append(10, ResumedEvent{10, 8, "step-10", "", "", {}});
        writer.append(10, CheckpointEvent{"superseded", "step-20", "bb", "", 0});
        writer.append(11, PausedEvent{});
    }
    summary = summariseJournal(run);
    EXPECT_THAT(summary.savedCheckpoints, ElementsAre("step-10"));
    EXPECT_FALSE(summary.failed.has_value());
    EXPECT_TRUE(summary.paused);
    EXPECT_EQ(summary.lastStep, 11);
    EXPECT_EQ(summary.lastAttempt, 3);
    EXPECT_EQ(summary.lastValues.at("train/loss"), 1.5);
}

TEST(JournalSummary, anAttemptThatFailsBeforeItGoesOnHidesTheEndBeforeIt) {
    const TempRun run;
    {
        auto writer = EventWriter::open(run, 1);
        writer.append(0, StartedEvent{});
        writer.append(9, FinishedEvent{"finished", "all 9 updates done", "step-9", 0});
    }
    EventWriter::open(run, 2).append(0, FailedEvent{"no_valid_checkpoint", "none is sound", 28});
    const auto summary = summariseJournal(run);
    EXPECT_FALSE(summary.finished.has_value());
    EXPECT_EQ(summary.failed->exitCode, 28);
    EXPECT_EQ(summary.lastStep, 9);
    EXPECT_TRUE(summary.failuresSince.empty());
}

}  // namespace
}  // namespace unmask
