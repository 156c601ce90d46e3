// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/command_preview.h"

#include <gtest/gtest.h>

#include <QProcess>

#include "engine/protocol/presets.h"

using namespace unmask;
using namespace unmask::ui;

namespace {

// What a shell makes of the quoted word.
QString throughShell(const QString& argument) {
    QProcess shell;
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral("printf %s ") + quotedForShell(argument)});
    shell.waitForFinished();
    return QString::fromUtf8(shell.readAllStandardOutput());
}

TEST(CommandPreview, HostileNamesSurviveTheShell) {
    for (const char* name : {"plain.txt", "a b'c", "训练 数据/x.txt", "$(touch /tmp/hacked)", "`id`", "a\"b", "a\\b",
                             "; rm -rf x", "*", "~", "-x", "a\nb", "''"})
        EXPECT_EQ(throughShell(QString::fromUtf8(name)), QString::fromUtf8(name)) << name;
}

TEST(CommandPreview, LeavesOutWhatThePresetSays) {
    const QString command = trainCommand(presetSpec("first-steps").value());
    EXPECT_TRUE(command.contains(QStringLiteral("--preset first-steps")));
    EXPECT_FALSE(command.contains(QStringLiteral("--set"))) << command.toStdString();
}

TEST(CommandPreview, NamesWhatDiffers) {
    RunSpec spec = presetSpec("first-steps").value();
    spec.training.seed = 7;
    spec.data.files = {"/data/a b.txt"};
    const QString command = trainCommand(spec);
    EXPECT_TRUE(command.contains(QStringLiteral("--set training.seed=7"))) << command.toStdString();
    EXPECT_TRUE(command.contains(QStringLiteral("--data '/data/a b.txt'"))) << command.toStdString();
}

}  // namespace
