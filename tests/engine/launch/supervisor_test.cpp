// SPDX-License-Identifier: Apache-2.0
// The supervisor with real processes: how it ends them, tries again, and writes down what became of them.
#include "engine/launch/supervisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "engine/journal/event_reader.h"
#include "engine/journal/run_lock.h"
#include "engine/launch/signal_inbox.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

using testing::HasSubstr;
using testing::Not;

class SupervisorTest : public testing::Test {
 protected:
    void SetUp() override { setenv("UNMASK_WORKER", UNMASK_BINARY_DIR "/bin/fake-worker", 1); }
    void TearDown() override {
        unsetenv("UNMASK_WORKER");
        unsetenv("UNMASK_FAKE");
    }

    std::unique_ptr<Supervisor> begin(const char* script, LaunchPlan plan = {}) {
        setenv("UNMASK_FAKE", script, 1);
        plan.folder = m_run.folder();
        auto supervisor = std::make_unique<Supervisor>(findWorker(), plan,
                                                       [this](const std::string& line) { m_said += line + "\n"; });
        supervisor->start();
        return supervisor;
    }
    void untilEnd(Supervisor& supervisor, double seconds = 20) {
        const auto since = SteadyClock::now();
        while (supervisor.poll()) {
            ASSERT_LT(secondsSince(since), seconds) << "the supervisor does not come to an end";
            usleep(5'000);
        }
    }
    void untilStep(Supervisor& supervisor, int64_t step) {
        const auto since = SteadyClock::now();
        while (summariseJournal(m_run.folder()).lastStep < step) {
            ASSERT_TRUE(supervisor.poll()) << "it ended before step " << step;
            ASSERT_LT(secondsSince(since), 10);
            usleep(5'000);
        }
    }
    ExitRecord exitRecord() { return readExitRecord(m_run.folder()).value_or(ExitRecord{.outcome = "no record"}); }

    test::TempRun m_run;
    std::string m_said;
};

TEST_F(SupervisorTest, FinishedRunHasItsRecord) {
    const auto supervisor = begin("ok");
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 0);
    EXPECT_EQ(exitRecord().outcome, "finished");
    EXPECT_EQ(exitRecord().attempt, 1);
    EXPECT_EQ(exitRecord().lastStep, 10);
    EXPECT_EQ(exitRecord().reason, "as the test wished");
}

TEST_F(SupervisorTest, WorkerHearsItsPlace) {
    LaunchPlan plan;
    plan.threads = 3;
    plan.settings = {"training.steps=7"};
    plan.resume = true;
    const auto supervisor = begin("ok", plan);
    untilEnd(*supervisor);
    const std::string heard = test::readBytes(m_run.folder().path / "arguments.txt");
    EXPECT_EQ(heard, "rank\n--run\n" + m_run.folder().path.string() +
                         "\n--resume\n--set\ntraining.steps=7\nRANK=0\nWORLD_SIZE=1\nLOCAL_RANK=0\n"
                         "MASTER_ADDR=127.0.0.1\nMASTER_PORT=29500\nOMP_NUM_THREADS=3\n");
}

TEST_F(SupervisorTest, SignalIsToldByNameAndCode) {
    const auto supervisor = begin("signal9");
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 137);
    EXPECT_EQ(exitRecord().outcome, "signal");
    EXPECT_EQ(exitRecord().exitCode, 137);
    EXPECT_THAT(exitRecord().reason, HasSubstr("SIGKILL"));
}

TEST_F(SupervisorTest, FirstCtrlCSavesAndEndsWithTen) {
    const auto supervisor = begin("wait");
    untilStep(*supervisor, 3);
    supervisor->interrupt(SIGINT);
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 10);
    EXPECT_EQ(exitRecord().outcome, "stopped");
    EXPECT_EQ(summariseJournal(m_run.folder()).savedCheckpoints.size(), 1U);
}

TEST_F(SupervisorTest, TerminateSavesAndEndsWith27) {
    const auto supervisor = begin("wait");
    untilStep(*supervisor, 3);
    supervisor->interrupt(SIGTERM);
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 27);
    EXPECT_EQ(summariseJournal(m_run.folder()).savedCheckpoints.size(), 1U);
}

TEST_F(SupervisorTest, CtrlCBeforeTheWorkerListensIsAStopAndNoFault) {
    const auto supervisor = begin("early");
    supervisor->interrupt(SIGINT);
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 10);
    EXPECT_EQ(exitRecord().outcome, "stopped");
    EXPECT_THAT(exitRecord().reason, HasSubstr("before it had begun"));
    RunObserver observer(m_run.folder());
    EXPECT_EQ(observer.observe().word, RunWord::stopped);
}

TEST_F(SupervisorTest, AFullDiskThatTookTheLogAsWellIsSaid) {
    const auto supervisor = begin("fulldisk");
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 24);
    EXPECT_THAT(exitRecord().reason, HasSubstr("the disk takes no more"));
    EXPECT_THAT(exitRecord().reason, HasSubstr("free"));
}

TEST_F(SupervisorTest, SecondCtrlCDoesNotSave) {
    const auto supervisor = begin("wait");
    untilStep(*supervisor, 3);
    supervisor->interrupt(SIGINT);
    supervisor->poll();
    usleep(50'000);
    supervisor->interrupt(SIGINT);
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 10);
    EXPECT_TRUE(summariseJournal(m_run.folder()).savedCheckpoints.empty());
}

TEST_F(SupervisorTest, ThirdCtrlCEndsADeafWorker) {
    const auto supervisor = begin("deaf");
    untilStep(*supervisor, 3);
    for (int i = 0; i < 3; ++i)
        supervisor->interrupt(SIGINT);
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 137);
}

TEST_F(SupervisorTest, StoppedWorkerIsWokenToEnd) {
    const auto supervisor = begin("wait");
    untilStep(*supervisor, 3);
    kill(supervisor->workerPid(), SIGSTOP);
    supervisor->interrupt(SIGTERM);
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 27);
}

TEST_F(SupervisorTest, NoBudgetNoRestart) {
    const auto supervisor = begin("save+exit26,ok");
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 26);
    EXPECT_EQ(summariseJournal(m_run.folder()).lastAttempt, 1);
}

TEST_F(SupervisorTest, RestartsWithinBudgetAndTellsIt) {
    LaunchPlan plan;
    plan.restartBudget = 2;
    const auto supervisor = begin("save+exit26,ok", plan);
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 0);
    EXPECT_EQ(summariseJournal(m_run.folder()).lastAttempt, 2);
    EXPECT_EQ(exitRecord().attempt, 2);
    EXPECT_THAT(m_said, HasSubstr("(1 of 2)"));
    EXPECT_THAT(test::readBytes(m_run.folder().path / "arguments.txt"), HasSubstr("--resume"));
}

TEST_F(SupervisorTest, NeverTwoFailuresWithoutACheckpointBetween) {
    LaunchPlan plan;
    plan.restartBudget = 5;
    const auto supervisor = begin("exit26,exit26,ok", plan);
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 26);
    EXPECT_EQ(summariseJournal(m_run.folder()).lastAttempt, 2);
    EXPECT_THAT(m_said, HasSubstr("no checkpoint was saved"));
}

TEST_F(SupervisorTest, BadInputIsNeverTriedAgain) {
    LaunchPlan plan;
    plan.restartBudget = 5;
    const auto supervisor = begin("refuse", plan);
    untilEnd(*supervisor);
    EXPECT_EQ(supervisor->exitCode(), 20);
    EXPECT_FALSE(supervisor->end().wroteRecords);
    EXPECT_EQ(exitRecord().reason, "the data is not to the worker's taste");
}

TEST_F(SupervisorTest, CtrlCWhileWaitingForTheNextTryEnds) {
    LaunchPlan plan;
    plan.restartBudget = 5;
    const auto supervisor = begin("save+signal11,ok", plan);
    while (m_said.empty())
        supervisor->poll();
    supervisor->interrupt(SIGINT);
    EXPECT_FALSE(supervisor->poll());
    EXPECT_EQ(supervisor->exitCode(), 128 + 11);
}

TEST_F(SupervisorTest, SecondEngineIsRefusedAndLeavesTheRunAlone) {
    const auto first = begin("wait");
    untilStep(*first, 3);
    LaunchPlan plan;
    plan.folder = m_run.folder();
    plan.resume = true;
    Supervisor second(findWorker(), plan, [](const std::string&) {});
    second.start();
    untilEnd(second);
    EXPECT_EQ(second.exitCode(), 20);
    EXPECT_THAT(second.end().record.reason, HasSubstr("being trained"));
    EXPECT_FALSE(readExitRecord(m_run.folder())) << "the running attempt has no end yet";
    ASSERT_TRUE(first->poll());
    first->interrupt(SIGTERM);
    untilEnd(*first);
    EXPECT_EQ(exitRecord().exitCode, 27);
}

TEST_F(SupervisorTest, NothingOutlivesTheSupervisor) {
    pid_t worker = 0;
    {
        const auto supervisor = begin("deaf");
        untilStep(*supervisor, 3);
        worker = supervisor->workerPid();
        EXPECT_EQ(kill(worker, 0), 0);
    }
    EXPECT_NE(kill(worker, 0), 0);
    EXPECT_FALSE(isLocked(m_run.folder()));
}

// The supervisor itself is killed: its worker must save and go, not train on as an orphan.
TEST_F(SupervisorTest, WorkerOfAKilledSupervisorSavesAndEnds) {
    setenv("UNMASK_FAKE", "wait", 1);
    const pid_t supervisorPid = fork();
    if (supervisorPid == 0) {
        LaunchPlan plan;
        plan.folder = m_run.folder();
        Supervisor supervisor(findWorker(), plan, [](const std::string&) {});
        supervisor.start();
        while (supervisor.poll())
            usleep(5'000);
        _exit(0);
    }
    while (summariseJournal(m_run.folder()).lastStep < 3)
        usleep(5'000);
    kill(supervisorPid, SIGKILL);
    waitpid(supervisorPid, nullptr, 0);
    const auto since = SteadyClock::now();
    while (isLocked(m_run.folder()) && secondsSince(since) < 10)
        usleep(5'000);
    const JournalSummary journal = summariseJournal(m_run.folder());
    EXPECT_EQ(journal.savedCheckpoints.size(), 1U);
    ASSERT_TRUE(journal.finished);
    EXPECT_EQ(journal.finished->exitCode, 27);
}

TEST_F(SupervisorTest, AFailedStartDoesNotSpeakForTheNextAttempt) {
    auto supervisor = begin("refuse");
    untilEnd(*supervisor);
    ASSERT_EQ(exitRecord().attempt, 1);
    supervisor = begin("wait");
    untilStep(*supervisor, 1);
    EXPECT_FALSE(readExitRecord(m_run.folder()));
}

TEST(SignalInbox, HoldsSignalsUntilTaken) {
    SignalInbox inbox{SIGUSR1};
    EXPECT_FALSE(inbox.take());
    raise(SIGUSR1);
    EXPECT_TRUE(inbox.waitFor(1000));
    EXPECT_EQ(inbox.take(), SIGUSR1);
    EXPECT_FALSE(inbox.take());
}

}  // namespace
}  // namespace unmask
