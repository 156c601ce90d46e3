// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/launch/exit_report.h"
#include "engine/launch/rank_group.h"
#include "engine/launch/restart_policy.h"
#include "engine/launch/worker_program.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ChildOptions shell(const std::string& script) {
    return {.executable = "/bin/sh", .arguments = {"-c", script}, .environment = {"PATH=/usr/bin:/bin", "WORD=hello"}};
}

TEST(ChildProcess, CodeAndSignalAreTold) {
    EXPECT_EQ(ChildProcess::start(shell("exit 7")).wait(), (ExitStatus{.code = 7}));
    const ExitStatus killed = ChildProcess::start(shell("kill -TERM $$")).wait();
    EXPECT_EQ(killed, (ExitStatus{.signal = SIGTERM}));
    EXPECT_EQ(killed.asShellCode(), 128 + SIGTERM);
}

TEST(ChildProcess, MissingProgramIsAnErrorHereNotACodeThere) {
    ChildOptions options = shell("");
    options.executable = "/nowhere/program";
    try {
        ChildProcess::start(options);
        FAIL() << "it started";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("/nowhere/program"));
        EXPECT_THAT(error.what(), HasSubstr("No such file"));
    }
}

TEST(ChildProcess, OutputIsAppendedAndEnvironmentIsExact) {
    const test::TempFolder folder;
    ChildOptions options = shell("echo $WORD; echo $HOME; echo oops >&2");
    options.outputFile = folder.path() / "log mit ä 日志.txt";
    test::writeBytes(options.outputFile, "before\n");
    EXPECT_EQ(ChildProcess::start(options).wait().code, 0);
    EXPECT_EQ(test::readBytes(options.outputFile), "before\nhello\n\noops\n");
}

TEST(ChildProcess, InputIsNullUnlessInherited) {
    EXPECT_EQ(ChildProcess::start(shell("read line || exit 3")).wait().code, 3);
}

TEST(ChildProcess, LogIsNeverWrittenThroughALink) {
    const test::TempFolder folder;
    ChildOptions options = shell("echo x");
    options.outputFile = folder.path() / "log";
    std::filesystem::create_symlink(folder.path() / "elsewhere", options.outputFile);
    EXPECT_THROW(ChildProcess::start(options), Error);
}

TEST(ChildProcess, BlockedSignalsAreUnblockedInTheChild) {
    sigset_t set;
    sigset_t before;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, &before);
    ChildProcess child = ChildProcess::start(shell("sleep 20"));
    child.send(SIGTERM);
    EXPECT_EQ(child.wait(), (ExitStatus{.signal = SIGTERM}));
    sigprocmask(SIG_SETMASK, &before, nullptr);
}

void waitForAll(RankGroup& group) {
    const auto since = SteadyClock::now();
    while (group.running() && secondsSince(since) < 10) {
        group.poll();
        usleep(5'000);
    }
    ASSERT_FALSE(group.running());
}

TEST(RankGroup, WhenOneDiesTheOthersAreEndedAndTheCulpritIsNamed) {
    RankGroup group;
    group.start({shell("sleep 30"), shell("exit 24"), shell("sleep 30")});
    waitForAll(group);
    EXPECT_EQ(group.culprit()->rank, 1);
    EXPECT_EQ(group.culprit()->status.code, 24);
}

// 26: a rank lost the others. That is what one death does to all the rest, whoever is seen first.
TEST(RankGroup, WhoLostTheOthersIsNotTheCulprit) {
    RankGroup group;
    group.start({shell("exit 26"), shell("exit 26"), shell("sleep 0.3; kill -KILL $$")});
    waitForAll(group);
    EXPECT_EQ(group.culprit()->rank, 2);
    EXPECT_EQ(group.culprit()->status.signal, SIGKILL);
    EXPECT_FALSE(group.culprit()->silent);
}

TEST(RankGroup, WhoGoesOnSilentlyWhileTheOthersWaitIsTheCulprit) {
    RankGroup group;
    group.start({shell("exit 26"), shell("sleep 30"), shell("sleep 0.2; exit 26")});
    waitForAll(group);
    EXPECT_EQ(group.culprit()->rank, 1);
    EXPECT_TRUE(group.culprit()->silent);
}

TEST(RankGroup, RankThatCannotStartTakesTheOthersWithIt) {
    RankGroup group;
    ChildOptions bad = shell("");
    bad.executable = "/nowhere/program";
    EXPECT_THROW(group.start({shell("sleep 30"), bad}), Error);
    EXPECT_FALSE(group.running());
}

TEST(RestartPolicy, OnlyFaultsThatMayPassAndOnlyWithinTheBudget) {
    for (const int code : {10, 20, 21, 22, 23, 24, 28, 29})
        EXPECT_FALSE(RestartPolicy(9).decide({.code = code}, false, true).restart) << code;
    for (const int code : {25, 26, 27})
        EXPECT_TRUE(RestartPolicy(9).decide({.code = code}, false, true).restart) << code;
    EXPECT_TRUE(RestartPolicy(9).decide({.signal = SIGSEGV}, false, false).restart);
    EXPECT_FALSE(RestartPolicy(9).decide({.code = 27}, true, true).restart) << "the user ended it";
    EXPECT_FALSE(RestartPolicy(0).decide({.code = 26}, false, true).restart);
}

TEST(RestartPolicy, DelaysGrowAndTheBudgetEnds) {
    RestartPolicy policy(3);
    double last = 0;
    for (int i = 0; i < 3; ++i) {
        const auto decision = policy.decide({.code = 26}, false, true);
        ASSERT_TRUE(decision.restart);
        EXPECT_GT(decision.delaySeconds, last);
        last = decision.delaySeconds;
    }
    EXPECT_FALSE(policy.decide({.code = 26}, false, true).restart);
}

TEST(WorkerEnvironment, LibraryPathFirstAndThreadsFixed) {
    setenv("LD_LIBRARY_PATH", "/mine", 1);
    const auto environment = workerEnvironment({.executable = "/x", .torchLibraries = "/torch/lib"}, 4);
    EXPECT_THAT(environment, Contains("LD_LIBRARY_PATH=/torch/lib:/mine"));
    EXPECT_THAT(environment, Contains("OMP_NUM_THREADS=4"));
    EXPECT_THAT(environment, Contains("MKL_NUM_THREADS=4"));
    unsetenv("LD_LIBRARY_PATH");
    EXPECT_THAT(workerEnvironment({}, 0), Not(Contains(StartsWith("OMP_NUM_THREADS=4"))));
}

TEST(WorkerProgram, MissingWorkerIsOneClearSentence) {
    setenv("UNMASK_WORKER", "/nowhere/worker", 1);
    try {
        findWorker();
        FAIL() << "found";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::badInput);
        EXPECT_THAT(error.what(), HasSubstr("/nowhere/worker"));
    }
    unsetenv("UNMASK_WORKER");
}

TEST(ExitReport, LogTailIsShortValidAndOnlyWhatIsNew) {
    const test::TempFolder folder;
    const auto file = folder.path() / "log";
    test::writeBytes(file,
                     "old\none\ntwo\n\nthr\xFF"
                     "ee\n");
    EXPECT_EQ(logTail(file, 4, 2),
              "two\nthr\xEF\xBF\xBD"
              "ee");
    EXPECT_EQ(logTail(file, 4, 9),
              "one\ntwo\nthr\xEF\xBF\xBD"
              "ee");
    EXPECT_EQ(logTail(file, 999, 9), "");
    EXPECT_EQ(logTail(folder.path() / "none", 0, 9), "");
}

}  // namespace
}  // namespace unmask
