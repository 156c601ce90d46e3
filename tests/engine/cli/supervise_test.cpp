// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

class SuperviseTest : public FakeRunTest {};

TEST_F(SuperviseTest, GoesOnWithAPreparedRunAndPassesSettingsOn) {
    script("ok");
    ASSERT_EQ(run(tiny("train", 10)), 0) << m_errors;
    EXPECT_EQ(run({"supervise", folder(), "--resume", "--set=training.steps=20", "--set=sampling.prompt=a,b = c"}), 0);
    EXPECT_THAT(m_output, HasSubstr("Supervising " + folder()));
    EXPECT_THAT(m_output, HasSubstr("Ended with code 0"));
    EXPECT_THAT(readBytes(runFolder().path / "arguments.txt"),
                HasSubstr("--resume\n--set\ntraining.steps=20\n--set\nsampling.prompt=a,b = c\n"));
}

TEST_F(SuperviseTest, RefusesWhatIsNoRunOrNoSetting) {
    EXPECT_EQ(run({"supervise", folder()}), 20);
    script("ok");
    ASSERT_EQ(run(tiny("train", 10)), 0) << m_errors;
    EXPECT_EQ(run({"supervise", folder(), "--resume", "--set=stpes=20"}), 20);
    EXPECT_EQ(summariseJournal(runFolder()).lastAttempt, 1);
}

}  // namespace
}  // namespace unmask::test
