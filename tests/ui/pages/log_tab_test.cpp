// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/log_tab.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/ui/support/wait_for.h"

using namespace unmask::ui;
using unmask::test::waitFor;

namespace {

TEST(LogTab, SearchingShowsTheLineAndStopsFollowing) {
    QTemporaryDir folder;
    QFile log(folder.filePath(QStringLiteral("log.txt")));
    ASSERT_TRUE(log.open(QIODevice::WriteOnly));
    for (int line = 0; line < 300; ++line)
        log.write(line == 120 ? "a needle\n" : "hay\n");
    log.close();

    LogTab tab;
    tab.resize(600, 300);
    tab.show();
    tab.open(log.fileName());
    auto* list = tab.findChild<QListView*>();
    ASSERT_TRUE(waitFor([&] { return list->model()->rowCount() == 300; }));
    QToolButton* follow = nullptr;
    for (QToolButton* button : tab.findChildren<QToolButton*>())
        if (button->isCheckable())
            follow = button;
    ASSERT_TRUE(follow);
    EXPECT_TRUE(follow->isChecked());
    auto* search = tab.findChild<QLineEdit*>();
    search->setText(QStringLiteral("needle"));
    QTest::keyClick(search, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return list->currentIndex().row() == 120; }));
    EXPECT_FALSE(follow->isChecked());
}

}  // namespace
