// SPDX-License-Identifier: Apache-2.0
// The real unmask-worker: runs, signals, and what it prints.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "engine/base/json.h"
#include "tests/engine/train/run_journal.h"
#include "tests/engine/worker/child.h"
#include "tests/golden/training_harness.h"

namespace unmask {
namespace {

using test::Child;
using test::ChildResult;
using test::curveOf;
using test::eventsOf;

class WorkerTest : public testing::Test {
 protected:
    WorkerTest() { setenv("UNMASK_CACHE", (m_place.path() / "cache").c_str(), 1); }

    RunSpec spec(int64_t steps = 12) {
        RunSpec made = test::tinySpec();
        made.data.files = {test::writeTinyData(m_place.path()).string()};
        made.training.steps = steps;
        made.sampling.prompt = "a ";
        made.sampling.length = 20;
        return made;
    }
    ChildResult worker(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), UNMASK_WORKER);
        return test::runChild(arguments, m_place.path());
    }
    Json jsonOf(const ChildResult& result) {
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        return parseJson(result.output.substr(0, result.output.find('\n'))).orThrow();
    }
    static std::string path(const RunFolder& folder) { return folder.path.string(); }
    // Waits until the run has made some updates.
    static void waitForStep(const RunFolder& folder, int64_t step) {
        for (int i = 0; i < 600; ++i) {
            const auto curve = curveOf(folder, "train/loss");
            if (!curve.empty() && curve.rbegin()->first >= step)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        FAIL() << "the run does not get to step " << step;
    }
    test::TempFolder m_place;
};

TEST_F(WorkerTest, TrainsThenSamplesAndEvaluates) {
    const test::TempRun run(spec());
    const ChildResult trained = worker({"rank", "--run", path(run)});
    ASSERT_EQ(trained.exitCode, 0) << trained.errors;

    const std::vector<std::string> sample{"sample", "--run", path(run), "--temperature", "1", "--seed", "9"};
    const ChildResult text = worker(sample);
    EXPECT_EQ(text.exitCode, 0) << text.errors;
    EXPECT_TRUE(text.output.starts_with("a ")) << text.output;
    EXPECT_EQ(text.output, worker(sample).output);
    const Json json = jsonOf(worker({"sample", "--run", path(run), "--checkpoint", "step-5", "--prompt", "the river",
                                     "--length", "12", "--steps", "5", "--block", "7", "--json"}));
    EXPECT_EQ(json.at("checkpoint"), "step-5");
    EXPECT_EQ(json.at("tokens").size(), 9u + 12u);
    EXPECT_EQ(json.at("length"), 12);

    const Json bound = jsonOf(worker({"eval", "--run", path(run), "--json"}));
    EXPECT_NEAR(bound.at("nats_per_token").get<double>(), curveOf(run, "validation/loss").at(12), 1e-5);
    const Json ofText = jsonOf(worker({"eval", "--run", path(run), "--text", "a river, a stone", "--json"}));
    EXPECT_EQ(ofText.at("tokens"), 17);
    EXPECT_GT(ofText.at("bits_per_byte").get<double>(), 0);
}

TEST_F(WorkerTest, SigtermSavesAndTheResumedCurveIsThatOfAnUndisturbedRun) {
    const test::TempRun whole(spec(300)), stopped(spec(300));
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
    const test::TempRun run(slow);
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
    const test::TempRun run(spec(1000000));
    Child child({UNMASK_WORKER, "rank", "--run", path(run)}, m_place.path());
    waitForStep(run, 2);
    const auto second = test::TempFolder();
    const ChildResult refused = test::runChild({UNMASK_WORKER, "rank", "--run", path(run), "--resume"}, second.path());
    EXPECT_EQ(refused.exitCode, 20);
    EXPECT_NE(refused.errors.find("being trained"), std::string::npos) << refused.errors;
    const auto step = curveOf(run, "train/loss").rbegin()->first;
    waitForStep(run, step + 3);
    child.signal(SIGINT);
    EXPECT_EQ(child.wait().exitCode, 10);
}

TEST_F(WorkerTest, BenchReportsWhatItMeasured) {
    const Json bench = jsonOf(
        worker({"bench", "--preset", "first-steps", "--steps", "2", "--batch", "2", "--threads", "1", "--json"}));
    for (const char* name : {"tokens_per_second", "peak_memory_bytes", "first_step_seconds"})
        EXPECT_GT(bench.at(name).get<double>(), 0) << name;
    EXPECT_EQ(bench.at("threads"), 1);
    EXPECT_EQ(bench.at("batch"), 2);
}

TEST_F(WorkerTest, MistakesAreSentences) {
    EXPECT_EQ(worker({"rank", "--run", (m_place.path() / "nowhere").string()}).exitCode, 20);
    const ChildResult preset = worker({"bench", "--preset", "first-step"});
    EXPECT_EQ(preset.exitCode, 20);
    EXPECT_NE(preset.errors.find("first-steps"), std::string::npos) << preset.errors;
    const test::TempRun run(spec());
    const ChildResult nothing = worker({"sample", "--run", path(run)});
    EXPECT_NE(nothing.exitCode, 0);
    EXPECT_FALSE(nothing.errors.empty());
    EXPECT_EQ(worker({"sample", "--run", path(run), "--checkpoint", "../../etc"}).exitCode, 20);
    setenv("WORLD_SIZE", "2", 1);
    EXPECT_EQ(worker({"rank", "--run", path(run)}).exitCode, 20);
    unsetenv("WORLD_SIZE");
}

}  // namespace
}  // namespace unmask
