// SPDX-License-Identifier: Apache-2.0
// state.json is news: what is half there is not there.
#include "engine/journal/run_state.h"

#include <gtest/gtest.h>

#include "tests/support/temp_run.h"

namespace unmask {
namespace {
using test::TempRun;

TEST(RunStates, stateFileRoundTrip) {
    const TempRun run;
    EXPECT_FALSE(readRunState(run).has_value());
    RunState state;
    state.attempt = 3;
    state.phase = "saving";
    state.step = 12;
    state.totalSteps = 400;
    state.seq = 99;
    state.durableSeq = 98;
    state.process = ownIdentity();
    state.heartbeat = 5;
    writeRunState(run, state);
    const auto back = readRunState(run);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->process, state.process);
    EXPECT_EQ(back->phase, "saving");
    EXPECT_EQ(back->totalSteps, 400);
    EXPECT_EQ(back->durableSeq, 98);
    test::writeBytes(run.folder().stateFile(), "{\"attempt\":");
    EXPECT_FALSE(readRunState(run).has_value());
}

}  // namespace
}  // namespace unmask
