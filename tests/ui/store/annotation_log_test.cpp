// SPDX-License-Identifier: Apache-2.0
#include "ui/store/annotation_log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_run.h"
#include "tests/ui/support/journal_text.h"
#include "ui/store/history_database.h"
#include "ui/store/run_index.h"

namespace unmask::ui {
namespace {

Annotation named(const QString& name) {
    return {Annotation::Kind::name, name, {}};
}

RunRow rowAfterReplay(AnnotationLog& log) {
    HistoryDatabase database(":memory:");
    EXPECT_EQ(database.open(), OpenOutcome::created);
    const QString key = RunIndex(database.sql()).add(RunFolder{"/nowhere/run"}, test::describeRun("run"));
    log.replay(database.sql());
    log.replay(database.sql());
    return *RunIndex(database.sql()).find(key);
}

TEST(AnnotationLog, TheLastWordOfEachKindCounts) {
    const test::TempFolder folder;
    AnnotationLog log(folder.path() / "deep" / "annotations.jsonl");
    log.append(QStringLiteral("run"), named(QStringLiteral("first")));
    log.append(QStringLiteral("run"), {Annotation::Kind::note, QStringLiteral("**gut** 好"), {}});
    log.append(QStringLiteral("run"),
               {Annotation::Kind::tags, {}, {QStringLiteral("zh"), QStringLiteral("two words")}});
    log.append(QStringLiteral("run"), named(QStringLiteral("second")));
    const RunRow row = rowAfterReplay(log);
    EXPECT_EQ(row.name, QStringLiteral("second"));
    EXPECT_EQ(row.note, QStringLiteral("**gut** 好"));
    EXPECT_EQ(row.tags, (QStringList{QStringLiteral("zh"), QStringLiteral("two words")}));
}

TEST(AnnotationLog, ATornLineSpoilsOnlyItself) {
    const test::TempFolder folder;
    const auto file = folder.path() / "annotations.jsonl";
    AnnotationLog log(file);
    log.append(QStringLiteral("run"), named(QStringLiteral("kept")));
    std::ofstream(file, std::ios::app) << "{\"key\":\"run\",\"na";
    log.append(QStringLiteral("run"), {Annotation::Kind::note, QStringLiteral("after"), {}});
    const RunRow row = rowAfterReplay(log);
    EXPECT_EQ(row.name, QStringLiteral("kept"));
    EXPECT_EQ(row.note, QStringLiteral("after"));
}

TEST(AnnotationLog, OpenedFoldersOnceEach) {
    const test::TempFolder folder;
    AnnotationLog log(folder.path() / "annotations.jsonl");
    EXPECT_TRUE(log.folders().empty());
    for (const char* name : {"/a/b", "/c", "/a/b"})
        log.appendFolder(QString::fromLatin1(name));
    EXPECT_EQ(log.folders(), (std::vector<QString>{QStringLiteral("/a/b"), QStringLiteral("/c")}));
}

TEST(AnnotationLog, AnEmptyNameGivesTheSpecsNameBack) {
    const test::TempFolder folder;
    AnnotationLog log(folder.path() / "annotations.jsonl");
    log.append(QStringLiteral("run"), named(QStringLiteral("mine")));
    log.append(QStringLiteral("run"), named({}));
    EXPECT_EQ(rowAfterReplay(log).name, QStringLiteral("a run"));
}

}  // namespace
}  // namespace unmask::ui
