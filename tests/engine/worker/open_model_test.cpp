// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/worker/worker_fixture.h"

namespace unmask::test {
namespace {

TEST_F(WorkerTest, OpensOnlyCheckpointsOfTheRun) {
    const TempRun run(spec());
    const ChildResult nothing = worker({"sample", "--run", path(run)});
    EXPECT_NE(nothing.exitCode, 0);
    EXPECT_FALSE(nothing.errors.empty());
    EXPECT_EQ(worker({"sample", "--run", path(run), "--checkpoint", "../../etc"}).exitCode, 20);
    EXPECT_EQ(worker({"sample", "--run", path(run), "--checkpoint", "step-7/.."}).exitCode, 20);
    EXPECT_NE(worker({"sample", "--run", path(run), "--checkpoint", "step-7"}).exitCode, 0);
    EXPECT_EQ(worker({"sample", "--run", "no-such-run"}).exitCode, 20);
}

TEST_F(WorkerTest, ADamagedCheckpointIsPassedOverAndThisIsSaid) {
    RunSpec made = spec();
    made.checkpoint.interval = Interval::steps(5);
    const TempRun run(made);
    ASSERT_EQ(worker({"rank", "--run", path(run)}).exitCode, 0);
    std::filesystem::resize_file(run.folder().checkpoints() / "step-12" / "weights.safetensors", 100);
    const ChildResult text = worker({"sample", "--run", path(run)});
    EXPECT_EQ(text.exitCode, 0) << text.errors;
    EXPECT_NE(text.errors.find("step-12"), std::string::npos) << text.errors;
    EXPECT_EQ(text.output.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace unmask::test
