// SPDX-License-Identifier: Apache-2.0
// The file under the writer: all or nothing, and never over foreign bytes.
#include "engine/journal/journal_file.h"

#include <gtest/gtest.h>

#include "tests/support/temp_run.h"

namespace unmask {
namespace {
using test::readBytes;
using test::writeBytes;

TEST(JournalFile, opensBehindTheGoodEndAndKeepsTheTornBytes) {
    const test::TempFolder folder;
    const auto path = folder.path() / "events.jsonl";
    writeBytes(path, "good\ntorn");
    auto file = JournalFile::openAt(path, 5);
    EXPECT_TRUE(file.write("next\n"));
    EXPECT_EQ(readBytes(path), "good\nnext\n");
    EXPECT_EQ(readBytes(folder.path() / "events.torn-5"), "torn");
}

TEST(JournalFile, stepsBehindForeignBytesOnAFreshLine) {
    const test::TempFolder folder;
    const auto path = folder.path() / "events.jsonl";
    auto file = JournalFile::openAt(path, 0);
    EXPECT_TRUE(file.write("a\n"));
    EXPECT_FALSE(file.hasForeignBytes());
    writeBytes(path, "a\nforeign");
    EXPECT_TRUE(file.hasForeignBytes());
    file.adoptForeignBytes();
    EXPECT_TRUE(file.write("b\n"));
    EXPECT_EQ(readBytes(path), "a\nforeign\nb\n");
}

TEST(JournalFile, aNewFileIsNeverWrittenOverAnother) {
    const test::TempFolder folder;
    const auto path = folder.path() / "events-2.jsonl";
    { auto file = JournalFile::create(path, "a\n"); }
    EXPECT_THROW(JournalFile::create(path, "b\n"), Error);
    EXPECT_EQ(readBytes(path), "a\n");
    auto file = JournalFile::openAt(path, 2);
    file.write("bc\n");
    file.cutBack(3);
    EXPECT_EQ(readBytes(path), "a\n");
}

}  // namespace
}  // namespace unmask
