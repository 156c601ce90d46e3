// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/stop_dialog.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace unmask::ui;

namespace {

TEST(StopDialog, NamesWhatIsLost) {
    const QString since = StopDialog::lossSentence({8420, 8000, 63.0});
    EXPECT_TRUE(since.contains(QStringLiteral("8,000"))) << since.toStdString();
    EXPECT_TRUE(since.contains(QStringLiteral("420"))) << since.toStdString();
    EXPECT_TRUE(StopDialog::lossSentence({420, 0, {}}).contains(QStringLiteral("no checkpoint")));
    EXPECT_TRUE(StopDialog::lossSentence({8000, 8000, {}}).contains(QStringLiteral("Nothing is lost")));
}

TEST(StopDialog, ReturnSavesAndEscapeKeepsRunning) {
    StopDialog dialog({10, 0, {}});
    QSignalSpy chosen(&dialog, &StopDialog::chosen);
    dialog.show();
    auto* save = dialog.findChild<QPushButton*>(QStringLiteral("stopAndSave"));
    ASSERT_TRUE(save);
    EXPECT_TRUE(save->isDefault());
    QTest::keyClick(&dialog, Qt::Key_Escape);
    EXPECT_TRUE(chosen.isEmpty());
    dialog.show();
    QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("stopWithoutSaving")), Qt::LeftButton);
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_FALSE(chosen.first().first().toBool());
}

}  // namespace
