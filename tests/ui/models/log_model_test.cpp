// SPDX-License-Identifier: Apache-2.0
#include "ui/models/log_model.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QAbstractItemModelTester>
#include <fstream>

#include "tests/support/temp_run.h"
#include "tests/ui/support/wait_for.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

using test::waitFor;

class LogModelTest : public testing::Test {
 protected:
    LogModelTest() : m_tester(&m_model, QAbstractItemModelTester::FailureReportingMode::Fatal) {}
    void append(const std::string& text) { std::ofstream(m_file, std::ios::app | std::ios::binary) << text; }
    // Text comes in blocks from another thread: the first look shows an ellipsis.
    bool showsAt(int row, const QString& text) {
        return waitFor([&] { return m_model.index(row).data().toString() == text; });
    }
    bool hasRows(int count) {
        return waitFor([&] { return m_model.rowCount() == count; });
    }

    test::TempFolder m_folder;
    std::filesystem::path m_file = m_folder.path() / "日志 rank-0.log";
    LogModel m_model;
    QAbstractItemModelTester m_tester;
};

TEST_F(LogModelTest, ManyLinesAreReadWhereLookedAt) {
    std::string text;
    for (int i = 0; i < 200000; ++i)
        text += "line " + std::to_string(i) + "\n";
    append(text);
    m_model.open(fromPath(m_file));
    ASSERT_TRUE(hasRows(200000));
    EXPECT_TRUE(showsAt(0, QStringLiteral("line 0")));
    EXPECT_TRUE(showsAt(199999, QStringLiteral("line 199999")));
    EXPECT_TRUE(showsAt(123456, QStringLiteral("line 123456")));
    int found = -2;
    QObject::connect(&m_model, &LogModel::found, &m_model, [&](int row) { found = row; });
    m_model.findNext(QStringLiteral("LINE 777"), 0);
    ASSERT_TRUE(waitFor([&] { return found != -2; }));
    EXPECT_EQ(found, 777);
    found = -2;
    m_model.findNext(QStringLiteral("line 5"), 4000, true);
    ASSERT_TRUE(waitFor([&] { return found != -2; }));
    EXPECT_EQ(found, 599);
    found = -2;
    m_model.findNext(QStringLiteral("nowhere"), 0);
    ASSERT_TRUE(waitFor([&] { return found == -1; }));
}

TEST_F(LogModelTest, FollowsGrowthAndAnUnfinishedLine) {
    append("one\ntw");
    m_model.open(fromPath(m_file));
    ASSERT_TRUE(hasRows(2));
    EXPECT_TRUE(showsAt(1, QStringLiteral("tw")));
    append("o\nthree\n");
    ASSERT_TRUE(hasRows(3));
    EXPECT_TRUE(showsAt(1, QStringLiteral("two")));
    EXPECT_TRUE(showsAt(2, QStringLiteral("three")));
}

TEST_F(LogModelTest, AShorterFileIsReadAnew) {
    append("one\ntwo\nthree\n");
    m_model.open(fromPath(m_file));
    ASSERT_TRUE(hasRows(3));
    test::writeBytes(m_file, "new\n");
    ASSERT_TRUE(hasRows(1));
    EXPECT_TRUE(showsAt(0, QStringLiteral("new")));
}

TEST_F(LogModelTest, WaitsForAFileAndRefusesAPipe) {
    QString problem;
    QObject::connect(&m_model, &LogModel::problem, &m_model, [&](const QString& text) { problem = text; });
    m_model.open(fromPath(m_file));
    ASSERT_TRUE(waitFor([&] { return !problem.isEmpty(); }));
    append("here\n");
    ASSERT_TRUE(hasRows(1));

    problem.clear();
    const auto pipe = m_folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    m_model.open(fromPath(pipe));
    EXPECT_TRUE(waitFor([&] { return !problem.isEmpty(); }));
    EXPECT_EQ(m_model.rowCount(), 0);
}

TEST_F(LogModelTest, AVeryLongLineIsCutAndBrokenBytesAreReplaced) {
    append(std::string(100000, 'x') + "\n\xff\xfe ok\n");
    m_model.open(fromPath(m_file));
    ASSERT_TRUE(hasRows(2));
    ASSERT_TRUE(waitFor([&] { return m_model.index(0).data().toString().size() > 1000; }));
    EXPECT_LT(m_model.index(0).data().toString().size(), 20000);
    EXPECT_TRUE(m_model.index(1).data().toString().endsWith(QStringLiteral(" ok")));
}

}  // namespace
}  // namespace unmask::ui
