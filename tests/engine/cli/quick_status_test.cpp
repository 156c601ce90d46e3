// SPDX-License-Identifier: Apache-2.0
// The quick word must be the thorough one, however long the journal.
#include "engine/cli/quick_status.h"

#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/journal/event_writer.h"
#include "engine/journal/run_lock.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

void expectSame(const RunFolder& folder) {
    const RunStatus quick = quickStatus(folder);
    const RunStatus thorough = RunObserver(folder).observe();
    EXPECT_EQ(runWordName(quick.word), runWordName(thorough.word));
    EXPECT_EQ(quick.step, thorough.step);
    EXPECT_EQ(quick.seq, thorough.seq);
    EXPECT_EQ(quick.attempt, thorough.attempt);
    EXPECT_EQ(quick.totalSteps, thorough.totalSteps);
}

TEST(QuickStatus, SaysWhatTheObserverSays) {
    const test::TempRun run;
    expectSame(run.folder());
    {
        const RunLock lock = RunLock::acquire(run.folder(), 1);
        EventWriter writer = EventWriter::open(run.folder(), 1);
        writer.append(0, StartedEvent{});
        expectSame(run.folder());
        for (int64_t step = 1; step <= 5000; ++step)
            writer.append(step, MetricsEvent{.tokens = step, .values = {{"train/loss", 2.5}}});
        writeRunState(run.folder(), {.attempt = 1,
                                     .phase = "training",
                                     .step = 5000,
                                     .seq = writer.lastSeq(),
                                     .process = ownIdentity(),
                                     .heartbeat = 1});
        expectSame(run.folder());
        EXPECT_EQ(quickStatus(run.folder()).word, RunWord::running);
        writer.append(5000, PausedEvent{});
        expectSame(run.folder());
        EXPECT_EQ(quickStatus(run.folder()).word, RunWord::paused);
        writer.append(5000, FinishedEvent{.outcome = "stopped", .reason = "by hand"});
        writer.sync();
    }
    expectSame(run.folder());
    EXPECT_EQ(quickStatus(run.folder()).word, RunWord::stopped);
    EXPECT_GT(std::filesystem::file_size(run.folder().eventsFile()), size_t{512} << 10) << "longer than what is read";
}

TEST(QuickStatus, DamagedOrMissingFilesAreNoFault) {
    const test::TempRun run;
    test::writeBytes(run.folder().eventsFile(), "no record\n{\"seq\":1}\n");
    EXPECT_EQ(lookQuickly(run.folder()).tail.lastSeq, 0);
    test::writeBytes(run.folder().runFile(), "{");
    EXPECT_EQ(quickStatus(run.folder()).word, RunWord::lost);
    EXPECT_EQ(quickStatus({"/no/such/folder"}).word, RunWord::lost);
}

}  // namespace
}  // namespace unmask
