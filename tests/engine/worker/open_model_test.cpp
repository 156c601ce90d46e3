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

}  // namespace
}  // namespace unmask::test
