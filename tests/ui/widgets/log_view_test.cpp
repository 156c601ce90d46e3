// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/log_view.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTest>

namespace unmask::ui {
namespace {

QList<LogLine> lines(int count, LogLevel level = LogLevel::info) {
    QList<LogLine> all;
    for (int i = 0; i < count; ++i)
        all.append({level, QStringLiteral("14:21:07"), QStringLiteral("line %1").arg(i)});
    return all;
}

TEST(LogView, FollowsUntilSomebodyScrollsUp) {
    LogView view;
    view.resize(400, 200);
    view.show();
    view.append(lines(300));
    QScrollBar* bar = view.findChild<QPlainTextEdit*>()->verticalScrollBar();
    EXPECT_EQ(bar->value(), bar->maximum());
    bar->triggerAction(QAbstractSlider::SliderPageStepSub);
    EXPECT_FALSE(view.following());
    const int place = bar->value();
    view.append(lines(50));
    EXPECT_EQ(bar->value(), place);
    view.setFollowing(true);
    EXPECT_EQ(bar->value(), bar->maximum());
}

TEST(LogView, FiltersByLevelAndForgetsNothingShown) {
    LogView view;
    view.append(lines(10));
    view.append(lines(3, LogLevel::warning));
    view.append(lines(2, LogLevel::debug));
    EXPECT_EQ(view.shownLines(), 13);
    auto* level = view.findChild<QComboBox*>();
    level->setCurrentIndex(static_cast<int>(LogLevel::warning));
    EXPECT_EQ(view.shownLines(), 3);
    level->setCurrentIndex(static_cast<int>(LogLevel::debug));
    EXPECT_EQ(view.shownLines(), 15);
    view.clear();
    EXPECT_EQ(view.shownLines(), 0);
}

TEST(LogView, KeepsOnlyTheLastLines) {
    LogView view;
    view.setLineLimit(100);
    view.append(lines(1000));
    EXPECT_EQ(view.shownLines(), 100);
    EXPECT_TRUE(view.findChild<QPlainTextEdit*>()->toPlainText().endsWith(QLatin1String("line 999")));
}

TEST(LogView, SearchFindsAndStopsFollowing) {
    LogView view;
    view.append(lines(200));
    view.findChild<QLineEdit*>()->setText(QStringLiteral("line 42"));
    EXPECT_EQ(view.findChild<QPlainTextEdit*>()->textCursor().selectedText(), QStringLiteral("line 42"));
    EXPECT_FALSE(view.following());
}

}  // namespace
}  // namespace unmask::ui
