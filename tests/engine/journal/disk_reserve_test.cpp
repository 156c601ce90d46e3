// SPDX-License-Identifier: Apache-2.0
// The room held for the end record comes with the writer and goes with it.
#include "engine/journal/disk_reserve.h"

#include <gtest/gtest.h>

#include "engine/journal/event_writer.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {
using test::TempRun;

TEST(DiskReserve, roomIsHeldForTheEndRecordWhileTraining) {
    const TempRun run;
    const auto reserve = run.folder().path / "reserve";
    test::writeBytes(reserve, "left by a killed writer");
    {
        auto writer = EventWriter::open(run, 1);
        EXPECT_GE(std::filesystem::file_size(reserve), 65536u);
    }
    EXPECT_FALSE(std::filesystem::exists(reserve));
}

TEST(DiskReserve, isGivenBackOnce) {
    const test::TempFolder folder;
    DiskReserve reserve;
    reserve.hold(folder.path());
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "reserve"));
    EXPECT_TRUE(reserve.release());
    EXPECT_FALSE(reserve.release());
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "reserve"));
}

TEST(DiskReserve, neverReplacesAFileOfThatName) {
    const test::TempFolder folder;
    test::writeBytes(folder.path() / "reserve", "mine");
    DiskReserve reserve;
    reserve.hold(folder.path());
    EXPECT_FALSE(reserve.release());
    EXPECT_EQ(test::readBytes(folder.path() / "reserve"), "mine");
}

}  // namespace
}  // namespace unmask
