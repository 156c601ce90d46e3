// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/worker/worker_fixture.h"

namespace unmask::test {
namespace {

TEST_F(WorkerTest, SigtermSavesAndTheResumedCurveIsThatOfAnUndisturbedRun) {
    const TempRun whole(spec(300)), stopped(spec(300));
    ASSERT_EQ(worker({"rank", "--run", path(whole)}).exitCode, 0);
    Child child({UNMASK_WORKER, "rank", "--run", path(stopped)}, m_place.path());
    waitForStep(stopped, 20);
    child.signal(SIGTERM);
    const ChildResult ended = child.wait();
    EXPECT_EQ(ended.exitCode, 27) << ended.errors;
    const auto end = eventsOf<FinishedEvent>(stopped);
    ASSERT_EQ(end.size(), 1u);
    EXPECT_EQ(end[0].outcome, "stopped");
    const auto lastStep = curveOf(stopped, "train/loss").rbegin()->first;
    EXPECT_LT(lastStep, 300);
    EXPECT_EQ(end[0].checkpoint, "step-" + std::to_string(lastStep));
    ASSERT_EQ(worker({"rank", "--run", path(stopped), "--resume"}).exitCode, 0);
    EXPECT_EQ(curveOf(whole, "train/loss"), curveOf(stopped, "train/loss"));
    EXPECT_EQ(curveOf(whole, "validation/loss"), curveOf(stopped, "validation/loss"));
}

TEST_F(WorkerTest, SecondSignalDoesNotSave) {
    RunSpec slow = spec(1000000);  // seconds a step: both signals come before the loop looks
    slow.model.layers = 4;
    slow.model.width = 256;
    slow.model.heads = 4;
    slow.model.feedForwardWidth = 640;
    slow.model.sequenceLength = 256;
    slow.training.batchSize = 24;
    slow.checkpoint.interval = Interval::never();
    const TempRun run(slow);
    Child child({UNMASK_WORKER, "rank", "--run", path(run)}, m_place.path());
    waitForStep(run, 1);
    child.signal(SIGINT);
    child.signal(SIGTERM);
    const int code = child.wait().exitCode;
    EXPECT_TRUE(code == 10 || code == 27) << code;
    EXPECT_TRUE(eventsOf<CheckpointEvent>(run).empty());
    ASSERT_EQ(eventsOf<FinishedEvent>(run).size(), 1u);
    EXPECT_EQ(eventsOf<FinishedEvent>(run)[0].exitCode, code);
    EXPECT_FALSE(std::filesystem::exists(run.folder().controlSocket()));
}

TEST_F(WorkerTest, SecondWorkerIsRefusedAndTheFirstGoesOn) {
    const TempRun run(spec(1000000));
    Child child({UNMASK_WORKER, "rank", "--run", path(run)}, m_place.path());
    waitForStep(run, 2);
    const auto second = TempFolder();
    const ChildResult refused = runChild({UNMASK_WORKER, "rank", "--run", path(run), "--resume"}, second.path());
    EXPECT_EQ(refused.exitCode, 20);
    EXPECT_NE(refused.errors.find("being trained"), std::string::npos) << refused.errors;
    const auto step = curveOf(run, "train/loss").rbegin()->first;
    waitForStep(run, step + 3);
    child.signal(SIGINT);
    EXPECT_EQ(child.wait().exitCode, 10);
}

TEST_F(WorkerTest, RankSaysWhatItCannotDo) {
    EXPECT_EQ(worker({"rank", "--run", (m_place.path() / "nowhere").string()}).exitCode, 20);
    const TempRun run(spec());
    EXPECT_EQ(worker({"rank", "--run", path(run), "--set", "steps"}).exitCode, 20);
    setenv("WORLD_SIZE", "2", 1);
    EXPECT_EQ(worker({"rank", "--run", path(run)}).exitCode, 20);
    unsetenv("WORLD_SIZE");
}

}  // namespace
}  // namespace unmask::test
