// SPDX-License-Identifier: Apache-2.0
#include "ui/store/sql.h"

#include <gtest/gtest.h>

#include "ui/store/history_database.h"

namespace unmask::ui {
namespace {

class SqlTest : public testing::Test {
 protected:
    void SetUp() override { ASSERT_EQ(m_database.open(), OpenOutcome::created); }
    Sql& sql() { return m_database.sql(); }
    HistoryDatabase m_database{":memory:"};
};

TEST_F(SqlTest, ValuesAreBoundAndNeverPartOfTheStatement) {
    const QString hostile = QStringLiteral("'; DROP TABLE facts; -- 好");
    for (const QString& name : {hostile, QStringLiteral("plain")})
        sql().run("INSERT INTO facts (name, value) VALUES (?, ?)", {name, QByteArray("a\0b", 3)});
    EXPECT_EQ(sql().value("SELECT count(*) FROM facts").toInt(), 2);
    EXPECT_EQ(sql().value("SELECT value FROM facts WHERE name = ?", {hostile}).toByteArray(), QByteArray("a\0b", 3));
    EXPECT_FALSE(sql().value("SELECT value FROM facts WHERE name = ?", {QStringLiteral("absent")}).isValid());
}

TEST_F(SqlTest, FaultsNameTheStatementAndTheirKind) {
    try {
        sql().run("SELECT nonsense FROM nowhere");
        FAIL();
    } catch (const StoreError& error) {
        EXPECT_NE(std::string(error.what()).find("nowhere"), std::string::npos);
        EXPECT_FALSE(error.damaged());
        EXPECT_FALSE(error.locked());
    }
    EXPECT_TRUE(StoreError("x", 11).damaged());
    EXPECT_TRUE(StoreError("x", 26).damaged());
    EXPECT_TRUE(StoreError("x", 5).locked());
}

}  // namespace
}  // namespace unmask::ui
