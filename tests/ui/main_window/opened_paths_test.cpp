// SPDX-License-Identifier: Apache-2.0
#include "ui/main_window/opened_paths.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/ui/support/wait_for.h"
#include "ui/pages/run_files.h"

using namespace unmask::ui;
using unmask::test::resultOf;

namespace {

void put(const QString& file, const char* text) {
    QFile out(file);
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(text);
}

TEST(OpenedPaths, FoldersOfRunsRunFilesAndDataAreToldApart) {
    QTemporaryDir folder;
    const QString run = folder.filePath(QStringLiteral("run")), plain = folder.filePath(QStringLiteral("plain"));
    ASSERT_TRUE(QDir().mkpath(run) && QDir().mkpath(plain));
    put(run + QStringLiteral("/run.json"), "{}");
    const QString spec = folder.filePath(QStringLiteral("spec.json"));
    ASSERT_TRUE(resultOf(writeRunFileLater(spec, {})).sentence.isEmpty());
    const QString rows = folder.filePath(QStringLiteral("rows.json"));
    put(rows, "[{\"text\": \"a row of data\"}]");
    const QString text = folder.filePath(QStringLiteral("book.txt"));
    put(text, "words");

    const OpenedPaths sorted = resultOf(sortPathsLater({text, run, spec, rows, plain}));
    EXPECT_EQ(sorted.runFolders, QStringList{run});
    EXPECT_EQ(sorted.runFiles, QStringList{spec});
    EXPECT_EQ(sorted.dataFiles, (QStringList{text, rows, plain}));
}

}  // namespace
