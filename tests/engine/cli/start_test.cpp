// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include "engine/base/json.h"
#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

class StartTest : public FakeRunTest {};

TEST_F(StartTest, ReturnsWithFolderIdAndProcessOnceTheRunHasBegun) {
    script("wait");
    ASSERT_EQ(run(with(tiny("start", 10), {"--json"})), 0) << m_errors;
    const Json answer = parseJson(m_output).orThrow();
    EXPECT_EQ(answer.at("folder"), folder());
    EXPECT_EQ(answer.at("id"), readRunDescription(runFolder()).orThrow().id);
    EXPECT_GT(summariseJournal(runFolder()).lastSeq, 0);
    kill(answer.at("pid").get<pid_t>(), SIGTERM);
    ASSERT_TRUE(eventually([&] { return readExitRecord(runFolder()).has_value(); }));
    EXPECT_EQ(readExitRecord(runFolder())->exitCode, 27);
    EXPECT_THAT(readBytes(runFolder().logs() / "launch.log"), HasSubstr("Got SIGTERM"));
}

TEST_F(StartTest, TellsTheErrorOfARunThatNeverBegan) {
    script("refuse");
    EXPECT_EQ(run(tiny("start", 10)), 20);
    EXPECT_THAT(m_errors, HasSubstr("not to the worker's taste"));
    EXPECT_FALSE(std::filesystem::exists(runFolder().path));
}

TEST_F(StartTest, RunThatIsFinishedSaysSo) {
    script("ok");
    ASSERT_EQ(run(tiny("train", 10)), 0) << m_errors;
    ASSERT_EQ(run({"start", "--resume", "--run", folder(), "--json"}), 0) << m_errors;
    EXPECT_EQ(parseJson(m_output).orThrow().at("finished"), true);
    EXPECT_EQ(summariseJournal(runFolder()).lastAttempt, 1);
}

}  // namespace
}  // namespace unmask::test
