// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class TrainTest : public FakeRunTest {};

TEST_F(TrainTest, EndsWithTheWorkersCodeAndSaysWhy) {
    script("exit23");
    EXPECT_EQ(run(tiny("train", 10)), 23);
    EXPECT_THAT(m_output, HasSubstr("Failed at step 10"));
    EXPECT_THAT(m_output, HasSubstr("To go on: "));
    script("signal11");
    EXPECT_EQ(run(tiny("train", 10, "other")), 128 + SIGSEGV);
    EXPECT_THAT(m_output, HasSubstr("SIGSEGV"));
}

TEST_F(TrainTest, DrawsPlainLinesWhereThereIsNoTerminal) {
    script("ok");
    EXPECT_EQ(run(tiny("train", 10)), 0);
    EXPECT_THAT(m_output, HasSubstr("step 10/10 · loss 0.500"));
    EXPECT_THAT(m_output, HasSubstr("Generated text:\ntext of a model that is none\nFinished: 10 steps"));
    EXPECT_THAT(m_output, Not(HasSubstr("\x1b["))) << "no control sequences";
}

TEST_F(TrainTest, RestartsWithinTheBudgetOfTheSpec) {
    script("save+exit26,ok");
    EXPECT_EQ(run(with(tiny("train", 10), {"--restart-budget", "1"})), 0) << m_output;
    EXPECT_THAT(m_output, HasSubstr("(1 of 1)"));
    EXPECT_EQ(readExitRecord(runFolder())->attempt, 2);
}

TEST_F(TrainTest, RefusalBeforeTheFirstRecordLeavesNoFolder) {
    script("refuse");
    EXPECT_EQ(run(tiny("train", 10)), 20);
    EXPECT_THAT(m_errors, HasSubstr("not to the worker's taste"));
    EXPECT_FALSE(std::filesystem::exists(runFolder().path));
}

TEST_F(TrainTest, ClosedTerminalSavesAndEnds) {
    script("wait");
    EngineProgram program = start(tiny("train", 10));
    ASSERT_TRUE(eventually([&] { return summariseJournal(runFolder()).lastStep > 3; }));
    program.send(SIGHUP);
    EXPECT_EQ(program.wait(), 27);
    EXPECT_EQ(summariseJournal(runFolder()).savedCheckpoints.size(), 1U);
}

TEST_F(TrainTest, SecondCtrlCEndsWithoutSaving) {
    script("wait");
    EngineProgram program = start(tiny("train", 10));
    ASSERT_TRUE(eventually([&] { return summariseJournal(runFolder()).lastStep > 3; }));
    program.send(SIGINT);
    program.waitForOutput("Once more ends without saving");
    program.send(SIGINT);
    EXPECT_EQ(program.wait(), 10);
    EXPECT_TRUE(summariseJournal(runFolder()).savedCheckpoints.empty());
}

}  // namespace
}  // namespace unmask::test
