// SPDX-License-Identifier: Apache-2.0
// One writer a run, with real processes.
#include "engine/journal/run_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/journal/event_writer.h"
#include "tests/engine/journal/lock_holder.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {
using test::LockingProcess;
using test::TempRun;
using testing::HasSubstr;

TEST(RunLock, secondWriterIsRefusedByName) {
    const TempRun run;
    EXPECT_FALSE(isLocked(run));
    LockingProcess holder(run);
    EXPECT_TRUE(isLocked(run));
    try {
        RunLock::acquire(run);
        FAIL() << "two writers";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::badInput);
        EXPECT_THAT(error.what(), HasSubstr("process " + std::to_string(holder.pid()) + " on this computer"));
    }
    holder.kill();
    EXPECT_FALSE(isLocked(run));
    EXPECT_EQ(RunLock::acquire(run).attempt(), 2);  // the dead one had taken number 1
    EXPECT_EQ(RunLock::acquire(run).attempt(), 3);
}

TEST(RunLock, attemptsGoOnFromTheJournal) {
    const TempRun run;
    {
        auto writer = EventWriter::open(run, 4);
        writer.append(0, StartedEvent{});
    }
    EXPECT_EQ(RunLock::acquire(run).attempt(), 5);
    EXPECT_TRUE(readLockHolder(run)->released);
}

TEST(RunLock, aLinkIsNotFollowed) {
    const TempRun run;
    test::writeBytes(run.folder().path / "precious", "data");
    std::filesystem::create_symlink("precious", run.folder().lockFile());
    EXPECT_THROW(RunLock::acquire(run), Error);
    EXPECT_EQ(test::readBytes(run.folder().path / "precious"), "data");
}

TEST(Liveness, aReusedPidIsSomebodyElse) {
    ProcessIdentity self = ownIdentity();
    EXPECT_EQ(lifeOf(self), ProcessLife::alive);
    ++self.startTime;
    EXPECT_EQ(lifeOf(self), ProcessLife::gone);
    self.bootId = "another boot";
    EXPECT_EQ(lifeOf(self), ProcessLife::otherBoot);
}

}  // namespace
}  // namespace unmask
