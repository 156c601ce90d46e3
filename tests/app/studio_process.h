// SPDX-License-Identifier: Apache-2.0
// Starts the real program, and tells how it ended and what it said.
#pragma once

#include <gtest/gtest.h>

#include <QMap>
#include <QProcess>
#include <QTemporaryDir>

namespace unmask::test {

struct Ending {
    QProcess::ExitStatus status;
    int code;
    QString errors;
    QString output;
};

// With these variables set, and every other word about displays and languages taken away.
inline Ending runStudio(const QStringList& arguments, const QMap<QString, QString>& set = {}) {
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

}  // namespace unmask::test
