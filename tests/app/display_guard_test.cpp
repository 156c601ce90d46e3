// SPDX-License-Identifier: Apache-2.0
#include "app/display_guard.h"

#include <gtest/gtest.h>

#include <QFile>

#include "tests/app/studio_process.h"

using unmask::test::Ending;
using unmask::test::runStudio;

namespace {

QString freeDisplay() {
    int number = 77;
    while (QFile::exists(QStringLiteral("/tmp/.X11-unix/X%1").arg(number)))
        ++number;
    return QStringLiteral(":%1").arg(number);
}

TEST(DisplayGuard, ASilentDisplayIsOneSentenceAndExitCodeOne) {
    const QString display = freeDisplay();
    const Ending ending = runStudio({}, {{QStringLiteral("DISPLAY"), display}});
    EXPECT_EQ(ending.status, QProcess::NormalExit);
    EXPECT_EQ(ending.code, 1);
    EXPECT_EQ(ending.errors.toStdString(), "The window cannot be opened: no display answers at " +
                                               display.toStdString() +
                                               ". './run engine train' trains in this terminal.\n");
}

TEST(DisplayGuard, NoDisplayAtAllIsSaidToo) {
    const Ending ending = runStudio({});
    EXPECT_EQ(ending.status, QProcess::NormalExit);
    EXPECT_EQ(ending.code, 1);
    EXPECT_EQ(ending.errors.count(QLatin1Char('\n')), 1) << ending.errors.toStdString();
    EXPECT_TRUE(ending.errors.contains(QLatin1String("no display is named"))) << ending.errors.toStdString();
}

TEST(DisplayGuard, ChineseDesktopsReadChinese) {
    const QString display = freeDisplay();
    const Ending ending = runStudio({}, {{QStringLiteral("DISPLAY"), display},
                                         {QStringLiteral("LANG"), QStringLiteral("zh_CN.UTF-8")},
                                         {QStringLiteral("LC_ALL"), QStringLiteral("zh_CN.UTF-8")}});
    EXPECT_EQ(ending.code, 1);
    EXPECT_TRUE(ending.errors.contains(QStringLiteral("无法打开窗口"))) << ending.errors.toStdString();
    EXPECT_TRUE(ending.errors.contains(display)) << ending.errors.toStdString();
}

TEST(DisplayGuard, OtherFaultsKeepQtsReason) {
    const Ending ending = runStudio({}, {{QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("nonsense")}});
    EXPECT_EQ(ending.status, QProcess::NormalExit);
    EXPECT_EQ(ending.code, 1);
    EXPECT_TRUE(ending.errors.contains(QLatin1String("nonsense"))) << ending.errors.toStdString();
    EXPECT_FALSE(ending.errors.contains(QLatin1String("no display"))) << ending.errors.toStdString();
}

TEST(DisplayGuard, WhereOneCanDrawTheProgramGoesOn) {
    const Ending ending =
        runStudio({QStringLiteral("--nonsense")}, {{QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen")}});
    EXPECT_EQ(ending.code, 1);
    EXPECT_TRUE(ending.errors.contains(QLatin1String("nonsense"))) << ending.errors.toStdString();
    EXPECT_FALSE(ending.errors.contains(QLatin1String("cannot be opened"))) << ending.errors.toStdString();
}

}  // namespace
