// SPDX-License-Identifier: Apache-2.0
#include "engine/train/heartbeat.h"

#include <gtest/gtest.h>

#include "tests/engine/train/run_journal.h"

namespace unmask {
namespace {

TEST(Heartbeat, SaysWhoLivesAndWhatIsDurable) {
    const test::TempRun run;
    auto journal = EventWriter::open(run.folder(), 3);
    std::atomic<int64_t> step{4};
    {
        Heartbeat heartbeat(run.folder(), journal, step, [] {});
        const auto first = readRunState(run.folder());
        ASSERT_TRUE(first.has_value());
        EXPECT_EQ(first->attempt, 3);
        EXPECT_EQ(lifeOf(first->process), ProcessLife::alive);
        {
            const PhaseScope saving(heartbeat, "saving");
            EXPECT_EQ(heartbeat.phase(), "saving");
        }
        heartbeat.enter("training");
        step = 5;
        std::this_thread::sleep_for(std::chrono::milliseconds(1200));
        const auto second = readRunState(run.folder());
        EXPECT_GT(second->heartbeat, first->heartbeat);
        EXPECT_EQ(second->phase, "training");
        EXPECT_EQ(second->step, 5);
        EXPECT_EQ(second->durableSeq, second->seq);
    }
    const auto phases = test::eventsOf<PhaseEvent>(run);
    ASSERT_EQ(phases.size(), 3u);
    EXPECT_EQ(phases[0].name, "saving");
    EXPECT_EQ(phases[1].name, "starting");
    EXPECT_EQ(phases[2].name, "training");
}

}  // namespace
}  // namespace unmask
