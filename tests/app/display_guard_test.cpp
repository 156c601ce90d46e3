// SPDX-License-Identifier: Apache-2.0
#include "app/display_guard.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace unmask::ui;

namespace {

QString freeDisplay() {
    int number = 77;
    while (QFile::exists(QStringLiteral("/tmp/.X11-unix/X%1").arg(number)))
        ++number;
    return QStringLiteral(":%1").arg(number);
}

struct Ending {
    QProcess::ExitStatus status;
    int code;
    QString errors;
    QString output;
};

// The real program, with these set and every other word about displays and languages taken away.
Ending runStudio(const QStringList& arguments, const QMap<QString, QString>& set) {
    QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "LANGUAGE", "LC_ALL", "LC_MESSAGES"})
        environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("LANG"), QStringLiteral("C.UTF-8"));
    for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "UNMASK_RUNS"})
        environment.insert(QLatin1String(name), home.filePath(QLatin1String(name)));
    for (auto it = set.begin(); it != set.end(); ++it)
        environment.insert(it.key(), it.value());
    QProcess studio;
    studio.setProcessEnvironment(environment);
    studio.start(QStringLiteral(UNMASK_BINARY_DIR "/bin/unmask-studio"), arguments);
    EXPECT_TRUE(studio.waitForFinished(60'000)) << studio.errorString().toStdString();
    return {studio.exitStatus(), studio.exitCode(), QString::fromUtf8(studio.readAllStandardError()),
            QString::fromUtf8(studio.readAllStandardOutput())};
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
    const Ending ending = runStudio({}, {});
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

TEST(DisplayGuard, WhereOneCanDrawNothingIsSaid) {
    const Ending ending =
        runStudio({QStringLiteral("--version")}, {{QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen")}});
    EXPECT_EQ(ending.code, 0);
    EXPECT_TRUE(ending.output.contains(QLatin1String("unmask-studio"))) << ending.output.toStdString();
    EXPECT_FALSE(ending.errors.contains(QLatin1String("cannot be opened"))) << ending.errors.toStdString();
}

}  // namespace
