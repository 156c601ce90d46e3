// SPDX-License-Identifier: Apache-2.0
#include "ui/store/history_database.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_run.h"
#include "ui/store/schema.h"

namespace unmask::ui {
namespace {

using test::TempFolder;

size_t filesLike(const std::filesystem::path& folder, const std::string& part) {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        count += entry.path().filename().string().find(part) != std::string::npos ? 1 : 0;
    return count;
}

void fill(HistoryDatabase& database, int rows) {
    database.begin();
    for (int i = 0; i < rows; ++i)
        database.sql().run("INSERT INTO facts (name, value) VALUES (?, ?)",
                           {QString::number(i), QString(500, QLatin1Char('x'))});
    database.commit();
}

TEST(HistoryDatabase, OpensWithThePragmasThatWereDecided) {
    const TempFolder folder;
    HistoryDatabase database(folder.path() / "sub" / "history.sqlite");
    ASSERT_EQ(database.open(), OpenOutcome::created);
    Sql& sql = database.sql();
    EXPECT_EQ(sql.value("PRAGMA journal_mode").toString(), QStringLiteral("wal"));
    EXPECT_EQ(sql.value("PRAGMA locking_mode").toString(), QStringLiteral("exclusive"));
    EXPECT_EQ(sql.value("PRAGMA synchronous").toInt(), 2);
    EXPECT_EQ(sql.value("PRAGMA foreign_keys").toInt(), 1);
    EXPECT_EQ(sql.value("PRAGMA trusted_schema").toInt(), 0);
    EXPECT_EQ(sql.value("PRAGMA mmap_size").toInt(), 0);
    EXPECT_EQ(sql.value("PRAGMA application_id").toInt(), kHistoryApplicationId);
    EXPECT_EQ(sql.value("PRAGMA user_version").toInt(), schemaVersion());
    EXPECT_EQ(filesLike(folder.path() / "sub", "-shm"), 0u);
    database.close();
    EXPECT_EQ(filesLike(folder.path() / "sub", "-wal"), 0u);
    EXPECT_EQ(HistoryDatabase(folder.path() / "sub" / "history.sqlite").open(), OpenOutcome::ready);
}

TEST(HistoryDatabase, ASecondConnectionIsToldThatItIsLocked) {
    const TempFolder folder;
    HistoryDatabase first(folder.path() / "history.sqlite");
    ASSERT_EQ(first.open(), OpenOutcome::created);
    HistoryDatabase second(folder.path() / "history.sqlite");
    EXPECT_EQ(second.open(), OpenOutcome::locked);
    EXPECT_FALSE(second.problem().isEmpty());
    first.close();
    EXPECT_EQ(second.open(), OpenOutcome::ready);
}

TEST(HistoryDatabase, DamageIsFoundAndMovedAsideWithItsLog) {
    const TempFolder folder;
    const auto file = folder.path() / "history.sqlite";
    {
        HistoryDatabase database(file);
        ASSERT_EQ(database.open(), OpenOutcome::created);
        fill(database, 2000);
    }
    const std::string whole = test::readBytes(file);
    for (const std::string& bad : {std::string("this is no database, but a letter to my aunt"),
                                   whole.substr(0, whole.size() / 2), std::string(4096, '\0') + whole.substr(4096)}) {
        test::writeBytes(file, bad);
        HistoryDatabase database(file);
        EXPECT_EQ(database.open(), OpenOutcome::damaged);
        EXPECT_FALSE(database.isOpen());
    }
    std::string flipped = whole;
    for (size_t page = 3 * 4096; page + 64 < flipped.size(); page += 4096)
        for (size_t i = 0; i < 64; ++i)
            flipped[page + i] = static_cast<char>(flipped[page + i] ^ 0x5a);
    test::writeBytes(file, flipped);
    test::writeBytes(file.string() + "-wal", "leftover");
    HistoryDatabase database(file);
    EXPECT_EQ(database.open(), OpenOutcome::damaged);
    EXPECT_TRUE(database.moveAside(QStringLiteral("damaged")));
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_FALSE(std::filesystem::exists(file.string() + "-wal"));
    EXPECT_GE(filesLike(folder.path(), ".damaged-"), 1u);
    EXPECT_EQ(database.open(), OpenOutcome::created);
}

TEST(HistoryDatabase, ANewerSchemaIsLeftAlone) {
    const TempFolder folder;
    const auto file = folder.path() / "history.sqlite";
    {
        HistoryDatabase database(file);
        ASSERT_EQ(database.open(), OpenOutcome::created);
        database.sql().script(QStringLiteral("PRAGMA user_version=999"));
    }
    HistoryDatabase database(file);
    EXPECT_EQ(database.open(), OpenOutcome::newer);
    EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(HistoryDatabase, AnotherProgramsFileIsNotTaken) {
    const TempFolder folder;
    const auto file = folder.path() / "history.sqlite";
    {
        HistoryDatabase database(file);
        ASSERT_EQ(database.open(), OpenOutcome::created);
        database.sql().script(QStringLiteral("PRAGMA application_id=7"));
    }
    EXPECT_EQ(HistoryDatabase(file).open(), OpenOutcome::damaged);
}

}  // namespace
}  // namespace unmask::ui
