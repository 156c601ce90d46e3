// SPDX-License-Identifier: Apache-2.0
// Commands typed in a terminal. Delivery is in control_client_test, a real run's answers in tests/e2e.
#include <optional>

#include "engine/journal/run_lock.h"
#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

class CommandTest : public FakeRunTest {
 protected:
    void refused(const std::vector<std::string>& words, const std::string& sentence) {
        EXPECT_EQ(run(with({"command", folder()}, words)), 20);
        EXPECT_THAT(m_errors, HasSubstr(sentence));
    }
};

TEST_F(CommandTest, WrongCommandsAreRefusedBeforeTheyAreSent) {
    script("ok");
    ASSERT_EQ(run(tiny("train", 10)), 0) << m_errors;
    refused({"dance"}, "there is no command \"dance\"");
    refused({"set"}, "NAME=VALUE");
    refused({"set", "stpes=5"}, "did you mean steps?");
    refused({"set", "steps=many"}, "training.steps");
    refused({"set", "width=128"}, "cannot change while a run is running");
    refused({"pause", "now"}, "nothing after it");
    refused({"pause"}, "not running");
}

TEST_F(CommandTest, ARunThatIsStillStartingIsWaitedFor) {
    script("ok");
    ASSERT_EQ(run(tiny("train", 10)), 0) << m_errors;
    std::optional<RunLock> lock(RunLock::acquire(runFolder()));
    EngineProgram program = start({"command", folder(), "pause"});
    EXPECT_EQ(program.wait(0.5), -1) << program.errors();
    lock.reset();
    EXPECT_EQ(program.wait(), 20);
    EXPECT_THAT(program.errors(), HasSubstr("not running"));
}

}  // namespace
}  // namespace unmask::test
