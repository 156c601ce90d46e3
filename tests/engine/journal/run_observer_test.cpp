// SPDX-License-Identifier: Apache-2.0
// The table of states, row by row, with real processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/journal/event_writer.h"
#include "engine/journal/run_state.h"
#include "tests/engine/journal/lock_holder.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {
using test::LockingProcess;
using test::ManualClock;
using test::TempRun;
using testing::HasSubstr;

RunState stateOf(const RunFolder& run, int64_t heartbeat) {
    RunState state;
    state.attempt = readLockHolder(run)->attempt;
    state.process = readLockHolder(run)->process;
    state.phase = "training";
    state.step = 7;
    state.heartbeat = heartbeat;
    return state;
}

TEST(RunStates, lifeOfARunByItsTable) {
    const TempRun run;
    ManualClock clock;
    RunObserver observer(run, clock.function());
    EXPECT_EQ(observer.observe().word, RunWord::starting);

    LockingProcess holder(run);
    EXPECT_EQ(observer.observe().word, RunWord::starting);  // locked, no state yet
    auto writer = EventWriter::open(run, 1);
    writer.append(0, StartedEvent{});
    writeRunState(run, stateOf(run, 1));
    EXPECT_EQ(observer.observe().word, RunWord::running);
    writer.append(3, PausedEvent{});
    EXPECT_EQ(observer.observe().word, RunWord::paused);
    writer.append(3, ContinuedEvent{1.0});
    clock.advance(9);
    EXPECT_EQ(observer.observe().word, RunWord::running);
    clock.advance(2);
    const auto stalled = observer.observe();
    EXPECT_EQ(stalled.word, RunWord::stalled);
    EXPECT_THAT(stalled.evidence, HasSubstr("no heartbeat for 11 s"));
    writeRunState(run, stateOf(run, 2));
    EXPECT_EQ(observer.observe().word, RunWord::running);

    holder.kill();
    const auto interrupted = observer.observe();
    EXPECT_EQ(interrupted.word, RunWord::interrupted);
    EXPECT_THAT(interrupted.evidence, HasSubstr("left no end record"));
    EXPECT_FALSE(interrupted.alive());
    writeExitRecord(run, {.attempt = 1, .outcome = "signal", .reason = "killed by signal 9", .exitCode = 137});
    EXPECT_EQ(observer.observe().word, RunWord::interrupted);
    EXPECT_EQ(observer.observe().evidence, "killed by signal 9");

    LockingProcess second(run);  // attempt 2: the exit record of attempt 1 is void
    EXPECT_EQ(observer.observe().word, RunWord::starting);
    second.kill();
    auto later = EventWriter::open(run, 2);
    later.append(3, ResumedEvent{});
    later.append(9, FinishedEvent{"finished", "all 9 steps done", "step-9", 0});
    EXPECT_EQ(observer.observe().word, RunWord::finished);
    EXPECT_EQ(observer.observe().step, 9);

    std::filesystem::rename(run.folder().path, run.folder().path.string() + "-moved");
    const auto lost = observer.observe();
    EXPECT_EQ(lost.word, RunWord::lost);
    EXPECT_THAT(lost.evidence, HasSubstr("run.json"));
}

TEST(RunStates, aStartThatCameToNothingIsNoStart) {
    const TempRun run;
    writeExitRecord(run, {.attempt = 1, .outcome = "stopped", .reason = "ended by Ctrl-C (SIGINT)", .exitCode = 10});
    RunObserver observer(run);
    EXPECT_EQ(observer.observe().word, RunWord::stopped);
    const LockingProcess holder(run);  // the next one begins
    EXPECT_EQ(observer.observe().word, RunWord::starting);
}

TEST(RunStates, oneLookTellsAStalledWriter) {
    const TempRun run;
    LockingProcess holder(run);
    writeRunState(run, stateOf(run, 1));
    RunObserver fresh(run);
    EXPECT_EQ(fresh.observe().word, RunWord::running);
    RunObserver later(run, [] { return steadySecondsNow() + 60; });
    EXPECT_EQ(later.observe().word, RunWord::stalled);
}

TEST(RunStates, endRecordsByOutcome) {
    for (const auto& [outcome, word] : {std::pair{"finished", RunWord::finished},
                                        {"stopped", RunWord::stopped},
                                        {"failed", RunWord::failed},
                                        {"signal", RunWord::interrupted}}) {
        const TempRun run;
        {
            auto lock = RunLock::acquire(run);
            auto writer = EventWriter::open(run, lock.attempt());
            writer.append(0, StartedEvent{});
        }
        writeExitRecord(run, {.attempt = 1, .outcome = outcome, .reason = "because"});
        const auto status = RunObserver(run).observe();
        EXPECT_EQ(status.word, word) << outcome;
        EXPECT_EQ(status.evidence, "because");
    }
}

TEST(RunStates, aRestartedComputerIsNotALivingRun) {
    RunEvidence evidence;
    evidence.folderReadable = true;
    evidence.folderAgeSeconds = 1e6;
    evidence.holder = LockHolder{"here", {4711, 1, "old boot"}, 1};
    evidence.holderLife = ProcessLife::otherBoot;
    EXPECT_EQ(judgeRun(evidence).word, RunWord::interrupted);
    EXPECT_THAT(judgeRun(evidence).evidence, HasSubstr("restarted"));
}

}  // namespace
}  // namespace unmask
