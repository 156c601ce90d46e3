// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include <gtest/gtest.h>

#include <QDir>

#include "engine/protocol/version.h"
#include "tests/app/studio_process.h"

namespace unmask::ui {
namespace {

using test::Ending;
using test::runStudio;

TEST(CommandLine, VersionIsToldWithoutADisplay) {
    for (const char* option : {"--version", "-v"}) {
        const Ending ending = runStudio({QString::fromLatin1(option)});
        EXPECT_EQ(ending.status, QProcess::NormalExit);
        EXPECT_EQ(ending.code, 0) << option;
        EXPECT_EQ(ending.output.trimmed().toStdString(), "unmask-studio " + std::string(codeVersion()));
        EXPECT_TRUE(ending.errors.isEmpty()) << ending.errors.toStdString();
    }
}

TEST(CommandLine, HelpIsGivenWithoutADisplay) {
    for (const char* option : {"--help", "-h"}) {
        const Ending ending = runStudio({QString::fromLatin1(option)});
        EXPECT_EQ(ending.status, QProcess::NormalExit);
        EXPECT_EQ(ending.code, 0) << option;
        for (const char* word : {"unmask-studio", "--language", "--theme", "--screenshot-dir", "--latency-log",
                                 "--rebuild-history", "--version", "FILES"})
            EXPECT_TRUE(ending.output.contains(QLatin1String(word))) << word << " in " << ending.output.toStdString();
        EXPECT_TRUE(ending.errors.isEmpty()) << ending.errors.toStdString();
    }
}

// -stylesheet and -reverse are Qt's and hold an h and a v; a file may be called as an option is.
TEST(CommandLine, OtherWordsAreNoQuestions) {
    const QList<QStringList> lines{{QStringLiteral("-stylesheet"), QStringLiteral("look.qss")},
                                   {QStringLiteral("-reverse")},
                                   {QStringLiteral("--theme"), QStringLiteral("--help")},
                                   {QStringLiteral("--"), QStringLiteral("--version")}};
    for (const QStringList& line : lines) {
        const Ending ending = runStudio(line);
        EXPECT_EQ(ending.code, 1) << line.join(QLatin1Char(' ')).toStdString();
        EXPECT_TRUE(ending.errors.contains(QLatin1String("no display is named"))) << ending.errors.toStdString();
    }
}

TEST(CommandLine, OptionsAndFilesAreRead) {
    const CommandLine line =
        parseCommandLine({QStringLiteral("unmask-studio"), QStringLiteral("--language"), QStringLiteral("zh_CN"),
                          QStringLiteral("--theme=dark"), QStringLiteral("--screenshot-dir"),
                          QStringLiteral("图 pictures"), QStringLiteral("--latency-log"), QStringLiteral("waits.jsonl"),
                          QStringLiteral("诗 poems.txt"), QStringLiteral("/runs/a b")});
    EXPECT_EQ(line.language, QStringLiteral("zh_CN"));
    EXPECT_EQ(line.theme, QStringLiteral("dark"));
    EXPECT_EQ(line.screenshotDir, QStringLiteral("图 pictures"));
    EXPECT_EQ(line.latencyLog, QStringLiteral("waits.jsonl"));
    EXPECT_FALSE(line.rebuildHistory);
    EXPECT_EQ(line.paths, QStringList({QDir::current().absoluteFilePath(QStringLiteral("诗 poems.txt")),
                                       QStringLiteral("/runs/a b")}));
    EXPECT_TRUE(
        parseCommandLine({QStringLiteral("unmask-studio"), QStringLiteral("--rebuild-history")}).rebuildHistory);
}

}  // namespace
}  // namespace unmask::ui
