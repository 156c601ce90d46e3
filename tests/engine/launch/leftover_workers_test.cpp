// SPDX-License-Identifier: Apache-2.0
// Real processes: a worker that goes on after its supervisor was killed, and one that is supervised.
#include "engine/launch/leftover_workers.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "engine/journal/run_state.h"
#include "engine/launch/supervisor.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LeftoverWorkersTest : public testing::Test {
 protected:
    LeftoverWorkersTest() {
        setenv("UNMASK_WORKER", UNMASK_BINARY_DIR "/bin/fake-worker", 1);
        setenv("UNMASK_FAKE", "deaf", 1);  // trains on though it is told to end, as one that is busy does for a while
    }
    ~LeftoverWorkersTest() override {
        if (m_worker > 0)
            kill(m_worker, SIGKILL);
        unsetenv("UNMASK_WORKER");
        unsetenv("UNMASK_FAKE");
    }
    // A supervisor in a process of its own; returns when its worker trains.
    pid_t supervise() {
        const pid_t supervisor = fork();
        if (supervisor == 0) {
            LaunchPlan plan;
            plan.folder = m_run.folder();
            Supervisor here(findWorker(), plan, [](const std::string&) {});
            here.start();
            while (here.poll())
                usleep(5'000);
            _exit(0);
        }
        while (summariseJournal(m_run.folder()).lastStep < 3)
            usleep(5'000);
        m_worker = static_cast<pid_t>(readRunState(m_run.folder())->process.pid);
        return supervisor;
    }
    void killSupervisor(pid_t supervisor) {
        kill(supervisor, SIGKILL);
        waitpid(supervisor, nullptr, 0);
    }

    test::TempRun m_run;
    pid_t m_worker = 0;
    std::string m_said;
    const std::function<void(const std::string&)> m_say = [this](const std::string& line) { m_said += line + "\n"; };
};

TEST_F(LeftoverWorkersTest, OnlyTheWorkerOfAKilledSupervisorIsOne) {
    EXPECT_THAT(leftoverWorkers(m_run.folder()), IsEmpty());
    const pid_t supervisor = supervise();
    EXPECT_THAT(leftoverWorkers(m_run.folder()), IsEmpty()) << "it is supervised";
    awaitLeftoverWorkers(m_run.folder(), m_say);
    EXPECT_EQ(m_said, "");
    killSupervisor(supervisor);
    EXPECT_THAT(leftoverWorkers(m_run.folder()), ElementsAre(m_worker));
    EXPECT_THAT(leftoverWorkers(test::TempRun().folder()), IsEmpty()) << "of another run";
    const auto link = m_run.folder().path.parent_path() / "a link";
    std::filesystem::create_symlink(m_run.folder().path, link);
    EXPECT_THAT(leftoverWorkers(RunFolder{link}), ElementsAre(m_worker)) << "the folder by another name";
}

TEST_F(LeftoverWorkersTest, IsWaitedForAsLongAsItTakesOrAsIsAllowed) {
    killSupervisor(supervise());
    awaitLeftoverWorkers(m_run.folder(), m_say, 0.1);
    EXPECT_THAT(m_said, HasSubstr("process " + std::to_string(m_worker)));
    EXPECT_THAT(leftoverWorkers(m_run.folder()), ElementsAre(m_worker));
    std::thread end([this] {
        usleep(200'000);
        kill(m_worker, SIGKILL);
    });
    awaitLeftoverWorkers(m_run.folder(), m_say, 60);
    EXPECT_THAT(leftoverWorkers(m_run.folder()), IsEmpty());
    end.join();
}

}  // namespace
}  // namespace unmask
