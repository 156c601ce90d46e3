// SPDX-License-Identifier: Apache-2.0
// Lock, liveness and the table of states, with real processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "engine/journal/event_writer.h"
#include "engine/journal/run_lock.h"
#include "engine/journal/run_state.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {
using test::ManualClock;
using test::TempRun;
using testing::HasSubstr;

// A child that takes the lock of a run and waits; killed at the end.
class Holder {
 public:
    explicit Holder(const RunFolder& run) {
        int ready[2];
        if (::pipe(ready) != 0)
            throw std::runtime_error("pipe");
        m_pid = ::fork();
        if (m_pid == 0) {
            const auto lock = RunLock::acquire(run);
            (void)!::write(ready[1], "x", 1);
            for (;;)
                ::pause();
        }
        char byte = 0;
        (void)!::read(ready[0], &byte, 1);
        ::close(ready[0]);
        ::close(ready[1]);
    }
    ~Holder() { kill(); }
    void kill() {
        if (m_pid <= 0)
            return;
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
        m_pid = 0;
    }
    pid_t pid() const { return m_pid; }

 private:
    pid_t m_pid = 0;
};

RunState stateOf(const RunFolder& run, int64_t heartbeat) {
    RunState state;
    state.attempt = readLockHolder(run)->attempt;
    state.process = readLockHolder(run)->process;
    state.phase = "training";
    state.step = 7;
    state.heartbeat = heartbeat;
    return state;
}

TEST(RunLock, secondWriterIsRefusedByName) {
    const TempRun run;
    EXPECT_FALSE(isLocked(run));
    Holder holder(run);
    EXPECT_TRUE(isLocked(run));
    try {
        RunLock::acquire(run);
        FAIL() << "two writers";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::badInput);
        EXPECT_THAT(error.what(), HasSubstr("process " + std::to_string(holder.pid()) + " on this computer"));
    }
    holder.kill();
    EXPECT_FALSE(isLocked(run));
    EXPECT_EQ(RunLock::acquire(run).attempt(), 2);  // the dead one had taken number 1
    EXPECT_EQ(RunLock::acquire(run).attempt(), 3);
}

TEST(RunLock, attemptsGoOnFromTheJournal) {
    const TempRun run;
    {
        auto writer = EventWriter::open(run, 4);
        writer.append(0, StartedEvent{});
    }
    EXPECT_EQ(RunLock::acquire(run).attempt(), 5);
    EXPECT_TRUE(readLockHolder(run)->released);
}

TEST(RunLock, aLinkIsNotFollowed) {
    const TempRun run;
    test::writeBytes(run.folder().path / "precious", "data");
    std::filesystem::create_symlink("precious", run.folder().lockFile());
    EXPECT_THROW(RunLock::acquire(run), Error);
    EXPECT_EQ(test::readBytes(run.folder().path / "precious"), "data");
}

TEST(Liveness, aReusedPidIsSomebodyElse) {
    ProcessIdentity self = ownIdentity();
    EXPECT_EQ(lifeOf(self), ProcessLife::alive);
    ++self.startTime;
    EXPECT_EQ(lifeOf(self), ProcessLife::gone);
    self.bootId = "another boot";
    EXPECT_EQ(lifeOf(self), ProcessLife::otherBoot);
}

TEST(RunStates, stateFileRoundTrip) {
    const TempRun run;
    EXPECT_FALSE(readRunState(run).has_value());
    RunState state;
    state.attempt = 3;
    state.phase = "saving";
    state.step = 12;
    state.totalSteps = 400;
    state.seq = 99;
    state.durableSeq = 98;
    state.process = ownIdentity();
    state.heartbeat = 5;
    writeRunState(run, state);
    const auto back = readRunState(run);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->process, state.process);
    EXPECT_EQ(back->phase, "saving");
    EXPECT_EQ(back->totalSteps, 400);
    EXPECT_EQ(back->durableSeq, 98);
    test::writeBytes(run.folder().stateFile(), "{\"attempt\":");
    EXPECT_FALSE(readRunState(run).has_value());
}

TEST(RunStates, lifeOfARunByItsTable) {
    const TempRun run;
    ManualClock clock;
    RunObserver observer(run, clock.function());
    EXPECT_EQ(observer.observe().word, RunWord::starting);

    Holder holder(run);
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

    Holder second(run);  // attempt 2: the exit record of attempt 1 is void
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

TEST(RunStates, oneLookTellsAStalledWriter) {
    const TempRun run;
    Holder holder(run);
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

TEST(RunFolders, idsAndRunJson) {
    EXPECT_TRUE(isRunId(newRunId("First Steps!")));
    EXPECT_TRUE(newRunId("First Steps!").starts_with("first-steps-20"));
    EXPECT_TRUE(newRunId("跑").starts_with("run-20"));
    EXPECT_TRUE(isRunId(newRunId(std::string(300, 'x'))));
    EXPECT_FALSE(isRunId("../x"));
    EXPECT_FALSE(isRunId(""));
    RunSpec spec;
    spec.training.steps = 123;
    const TempRun run(spec);
    const auto description = readRunDescription(run);
    ASSERT_TRUE(description.ok()) << description.error().what();
    EXPECT_EQ(description.value().spec, spec);
    EXPECT_THROW(createRunFolder(run, description.value()), Error);
    ASSERT_TRUE(findRun(run.folder().path.string()).ok());
    EXPECT_FALSE(findRun("no-such-run").ok());
    auto newer = test::readBytes(run.folder().runFile());
    newer.replace(newer.find("\"format_version\": 1"), 19, "\"format_version\": 9");
    test::writeBytes(run.folder().runFile(), newer);
    const auto refused = readRunDescription(run);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().what(), HasSubstr("newer version"));
}

}  // namespace
}  // namespace unmask
