// SPDX-License-Identifier: Apache-2.0
// Runs of several processes from the command line: what they learn, who ends them, and who is named when one is lost.
#include <gmock/gmock.h>
#include <signal.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "engine/journal/event_reader.h"
#include "tests/e2e/cli_support.h"

namespace unmask::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RanksTest : public CliTest {
 protected:
    std::vector<std::string> shared(int64_t steps, const std::string& name, int copies, int stage) const {
        return with(tiny("train", steps, name),
                    {"--set", "precision=fp64", "--set", "data_parallel_size=" + std::to_string(copies), "--set",
                     "zero_stage=" + std::to_string(stage)});
    }
    double lastLoss(const std::string& name) const {
        const JournalSummary journal = summariseJournal(runFolder(name));
        const auto found = journal.lastValues.find("train/loss");
        return found == journal.lastValues.end() ? std::nan("") : found->second;
    }
    bool reached(int64_t step) const {
        return eventually([&] { return summariseJournal(runFolder()).lastStep >= step; });
    }
    // The process that is rank `rank` of the run, by its environment.
    pid_t pidOfRank(int rank) const {
        const std::string wanted = std::string(1, '\0') + "RANK=" + std::to_string(rank) + std::string(1, '\0');
        for (const auto& entry : fs::directory_iterator("/proc")) {
            const std::string name = entry.path().filename();
            pid_t pid = 0;
            if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc{})
                continue;
            try {
                const std::string command = readBytes(entry.path() / "cmdline");
                if (command.find(runFolder().path.string()) != std::string::npos &&
                    command.find("unmask-worker") != std::string::npos &&
                    (std::string(1, '\0') + readBytes(entry.path() / "environ")).find(wanted) != std::string::npos)
                    return pid;
            } catch (const std::exception&) {  // it ended meanwhile
            }
        }
        return 0;
    }
    bool nothingIsLeft() const {
        return eventually([&] { return pidOfRank(0) == 0 && pidOfRank(1) == 0; }, 10);
    }
};

TEST_F(RanksTest, TwoProcessesLearnWhatOneLearns) {
    UNMASK_NEEDS_WORKER();
    ASSERT_EQ(run(shared(20, "alone", 1, 0)), 0) << m_errors;
    for (const int stage : {0, 3}) {
        const std::string name = "zero-" + std::to_string(stage);
        ASSERT_EQ(run(shared(20, name, 2, stage)), 0) << m_errors;
        EXPECT_NEAR(lastLoss(name) / lastLoss("alone"), 1, 1e-12) << name;
    }
}

TEST_F(RanksTest, ProcessesThatShareEachLayerLearnWhatOneLearns) {
    UNMASK_NEEDS_WORKER();
    ASSERT_EQ(run(shared(20, "alone", 1, 0)), 0) << m_errors;
    const std::vector<std::string> tensor = {"--set", "tensor_parallel_size=2"};
    ASSERT_EQ(run(with(shared(20, "tensor", 1, 0), tensor)), 0) << m_errors;
    EXPECT_NEAR(lastLoss("tensor") / lastLoss("alone"), 1, 1e-12);
    ASSERT_EQ(run(with(shared(20, "both", 2, 3), tensor)), 0) << m_errors;
    EXPECT_NEAR(lastLoss("both") / lastLoss("alone"), 1, 1e-12);
}

TEST_F(RanksTest, StagesOfAPipelineLearnWhatOneProcessLearnsAndGoOnAfterAStop) {
    UNMASK_NEEDS_WORKER();
    const std::vector<std::string> deeper = {"--set", "model.layers=2"};
    ASSERT_EQ(run(with(shared(20, "alone", 1, 0), deeper)), 0) << m_errors;
    const std::vector<std::string> stages = with(deeper, {"--set", "pipeline_stages=2", "--set", "micro_batch_size=1"});
    for (const char* const schedule : {"1f1b", "zero_bubble"}) {
        const std::string name = std::string("schedule-") + schedule;
        ASSERT_EQ(run(with(with(shared(20, name, 1, 0), stages), {"--set", std::string("schedule=") + schedule})), 0)
            << m_errors;
        EXPECT_NEAR(lastLoss(name) / lastLoss("alone"), 1, 1e-12) << name;
    }
    ASSERT_EQ(run(with(shared(10, "begun", 2, 1), stages)), 0) << m_errors;
    ASSERT_EQ(run({"train", "--run", runFolder("begun").path.string(), "--resume", "--set", "steps=14"}), 0)
        << m_errors;
    EXPECT_EQ(summariseJournal(runFolder("begun")).lastStep, 14);
}

TEST_F(RanksTest, LayersThatCannotBeSharedAreRefusedBeforeAnythingIsStarted) {
    UNMASK_NEEDS_WORKER();
    EXPECT_NE(run(with(shared(20, "run", 1, 0), {"--set", "tensor_parallel_size=3"})), 0);
    EXPECT_THAT(m_errors, HasSubstr("3 does not divide the"));
}

TEST_F(RanksTest, AStopIsSavedAndGoneOnWith) {
    UNMASK_NEEDS_WORKER();
    EngineProgram engine = start(shared(100'000, "run", 2, 3));
    ASSERT_TRUE(reached(30));
    engine.send(SIGINT);
    EXPECT_EQ(engine.wait(), static_cast<int>(ErrorCode::stopped)) << engine.errors();
    EXPECT_TRUE(nothingIsLeft());
    const int64_t stopped = summariseJournal(runFolder()).lastStep;
    ASSERT_EQ(run({"train", "--run", runFolder().path.string(), "--resume", "--set",
                   "steps=" + std::to_string(stopped + 10)}),
              0)
        << m_errors;
    EXPECT_EQ(summariseJournal(runFolder()).lastStep, stopped + 10);
}

TEST_F(RanksTest, AKilledRankIsNamedAndNobodyIsLeft) {
    UNMASK_NEEDS_WORKER();
    EngineProgram engine = start(shared(100'000, "run", 2, 1));
    ASSERT_TRUE(reached(10));
    const pid_t victim = pidOfRank(1);
    ASSERT_GT(victim, 0);
    kill(victim, SIGKILL);
    EXPECT_NE(engine.wait(20), 0);
    EXPECT_THAT(readBytes(runFolder().exitFile()), HasSubstr("rank 1 was ended by SIGKILL"));
    EXPECT_TRUE(nothingIsLeft());
}

TEST_F(RanksTest, ASilentRankIsNamed) {
    UNMASK_NEEDS_WORKER();
    EngineProgram engine = start(with(shared(100'000, "run", 2, 0), {"--set", "hang_timeout=3"}));
    ASSERT_TRUE(reached(10));
    const pid_t victim = pidOfRank(1);
    ASSERT_GT(victim, 0);
    kill(victim, SIGSTOP);
    EXPECT_NE(engine.wait(30), 0);
    EXPECT_THAT(readBytes(runFolder().exitFile()), HasSubstr("rank 1 did not answer any more"));
    EXPECT_TRUE(nothingIsLeft());
}

}  // namespace
}  // namespace unmask::test
