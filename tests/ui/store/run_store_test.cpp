// SPDX-License-Identifier: Apache-2.0
// The store as its users see it: real files, real threads; a killed process, a damaged file, a second studio.
#include "ui/store/run_store.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <QProcess>
#include <algorithm>

#include "tests/support/temp_run.h"
#include "tests/ui/support/journal_text.h"
#include "tests/ui/support/wait_for.h"
#include "ui/settings/path_text.h"
#include "ui/store/history_database.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::resultOf;
using test::waitFor;

class RunStoreTest : public testing::Test {
 protected:
    StoreOptions options() {
        StoreOptions options;
        options.database = m_folder.path() / "data" / "history.sqlite";
        options.runsFolder = m_folder.path() / "训练 runs";
        return options;
    }
    RunFolder addRun(const std::string& id, const JournalText& journal) {
        return test::writeRun(options().runsFolder, id, journal);
    }
    std::unique_ptr<RunStore> openStore() {
        auto store = std::make_unique<RunStore>(options());
        store->open();
        EXPECT_TRUE(waitFor([&] { return store->status().health != StoreHealth::closed; }));
        return store;
    }
    // Knows so many finished runs, and has read them to the end: a run is listed before its records are in, and the
    // word it stands under is written after them.
    static bool hasRuns(RunStore& store, size_t count) {
        return waitFor([&] {
            const std::vector<RunRow> rows = resultOf(store.runs());
            return rows.size() == count && std::all_of(rows.begin(), rows.end(), [](const RunRow& row) {
                       return row.status.word == RunWord::finished && !row.endReason.isEmpty();
                   });
        });
    }
    static JournalText shortRun() {
        JournalText journal;
        journal.started().losses(1, 20).checkpoint(20).finished(20);
        return journal;
    }
    static std::vector<double> steps(RunStore& store, const QString& key) {
        return resultOf(store.series(key, QStringLiteral("train/loss")))->step;
    }

    test::TempFolder m_folder;
};

TEST_F(RunStoreTest, FindsRunsStartedElsewhere) {
    addRun("first", shortRun());
    auto store = openStore();
    ASSERT_TRUE(hasRuns(*store, 1));
    std::vector<RunRow> told;
    QObject::connect(store.get(), &RunStore::runsChanged, store.get(),
                     [&](const std::vector<RunRow>& rows) { told.insert(told.end(), rows.begin(), rows.end()); });
    addRun("second", shortRun());
    store->scanNow();
    ASSERT_TRUE(hasRuns(*store, 2));
    ASSERT_TRUE(waitFor([&] { return !told.empty(); }));
    const RunRow row = resultOf(store->history(QStringLiteral("second")))->row;
    EXPECT_EQ(row.status.word, RunWord::finished);
    EXPECT_EQ(row.endReason, QStringLiteral("all steps are done"));
    EXPECT_EQ(row.dataName, QStringLiteral("poems.txt"));
    EXPECT_EQ(steps(*store, QStringLiteral("second")).size(), 20u);
    EXPECT_EQ(resultOf(store->spec(QStringLiteral("second"))), std::optional(test::describeRun("second").spec));
}

TEST_F(RunStoreTest, TheProcessMayBeKilledWhileItTakesRecordsIn) {
    const QString victim = QString::fromLatin1(UNMASK_BINARY_DIR "/bin/ui_store_ingest_victim");
    for (int round = 0; round < 12; ++round) {
        QProcess process;
        process.start(victim, {fromPath(options().database)});
        ASSERT_TRUE(process.waitForStarted());
        ASSERT_TRUE(process.waitForReadyRead());  // it is writing now
        QThread::msleep(static_cast<unsigned long>(20 + 37 * round % 150));
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        process.waitForFinished();

        HistoryDatabase database(options().database);
        ASSERT_EQ(database.open(), OpenOutcome::ready) << toUtf8(database.problem());
        EXPECT_EQ(database.sql().value("PRAGMA integrity_check").toString(), QStringLiteral("ok"));
    }
    StoreOptions still = options();
    still.scan = false;
    RunStore store(still);
    store.open();
    const RunHistoryPtr run = resultOf(store.history(QStringLiteral("victim")));
    ASSERT_TRUE(run->found);
    ASSERT_FALSE(run->series.empty());
    // The victim goes on after the mark each time: what is there must be 1, 2, 3, … up to the mark.
    const SeriesColumns& loss = run->series[0];
    ASSERT_EQ(static_cast<int64_t>(loss.size()), run->mark.seq);
    for (size_t i = 0; i < loss.size(); ++i)
        ASSERT_EQ(loss.step[i], static_cast<double>(i + 1));
}

TEST_F(RunStoreTest, ADamagedFileIsRebuiltByItselfAndKeepsWhatPeopleWrote) {
    for (int i = 0; i < 5; ++i)
        addRun("run-" + std::to_string(i), shortRun());
    {
        auto store = openStore();
        ASSERT_TRUE(hasRuns(*store, 5));
        EXPECT_TRUE(
            resultOf(store->annotate(QStringLiteral("run-3"), {Annotation::Kind::name, QStringLiteral("dear"), {}})));
        EXPECT_TRUE(
            resultOf(store->annotate(QStringLiteral("run-3"), {Annotation::Kind::tags, {}, {QStringLiteral("zh")}})));
    }
    test::writeBytes(options().database, "no longer a database");
    auto store = openStore();
    EXPECT_FALSE(store->status().sentence.isEmpty());
    ASSERT_TRUE(hasRuns(*store, 5));
    ASSERT_TRUE(waitFor([&] { return store->status().health == StoreHealth::ready; }));
    const RunRow row = resultOf(store->history(QStringLiteral("run-3")))->row;
    EXPECT_EQ(row.name, QStringLiteral("dear"));
    EXPECT_EQ(row.tags, QStringList{QStringLiteral("zh")});
    EXPECT_EQ(steps(*store, QStringLiteral("run-3")).size(), 20u);
}

TEST_F(RunStoreTest, RebuildReportsWhatItRead) {
    for (int i = 0; i < 3; ++i)
        addRun("run-" + std::to_string(i), shortRun());
    std::filesystem::create_directories(options().runsFolder / "broken");
    test::writeBytes(options().runsFolder / "broken" / "run.json", "{");
    auto store = openStore();
    ASSERT_TRUE(hasRuns(*store, 3));
    const RebuildReport report = resultOf(store->rebuildHistory());
    EXPECT_EQ(report.runs, 3);
    EXPECT_EQ(report.records, 3 * 23);
    EXPECT_EQ(report.problems.size(), 1);
    EXPECT_EQ(resultOf(store->runs()).size(), 3u);
}

TEST_F(RunStoreTest, ASecondStudioReadsRunFoldersAndChangesNothing) {
    addRun("run", shortRun());
    auto first = openStore();
    ASSERT_TRUE(hasRuns(*first, 1));
    auto second = openStore();
    EXPECT_EQ(second->status().health, StoreHealth::temporary);
    EXPECT_FALSE(second->status().sentence.isEmpty());
    ASSERT_TRUE(hasRuns(*second, 1));
    EXPECT_EQ(steps(*second, QStringLiteral("run")).size(), 20u);
    QString complaint;
    QObject::connect(second.get(), &RunStore::failed, second.get(), [&](const QString& text) { complaint = text; });
    EXPECT_FALSE(resultOf(second->annotate(QStringLiteral("run"), {Annotation::Kind::name, QStringLiteral("x"), {}})));
    EXPECT_TRUE(waitFor([&] { return !complaint.isEmpty(); }));
}

TEST_F(RunStoreTest, FoldersElsewhereAreRememberedAcrossARebuild) {
    const RunFolder outside = test::writeRun(m_folder.path() / "elsewhere", "outside", shortRun());
    auto store = openStore();
    EXPECT_EQ(resultOf(store->addFolder(outside.path)), QStringLiteral("outside"));
    EXPECT_EQ(resultOf(store->addFolder(m_folder.path() / "nothing")), QString());
    ASSERT_TRUE(waitFor([&] { return steps(*store, QStringLiteral("outside")).size() == 20u; }));
    EXPECT_EQ(resultOf(store->rebuildHistory()).runs, 1);
    EXPECT_EQ(steps(*store, QStringLiteral("outside")).size(), 20u);
}

TEST_F(RunStoreTest, AForgottenRunWhoseFolderIsThereComesBackWithItsName) {
    addRun("run", shortRun());
    auto store = openStore();
    ASSERT_TRUE(hasRuns(*store, 1));
    resultOf(store->annotate(QStringLiteral("run"), {Annotation::Kind::name, QStringLiteral("mine"), {}}));
    EXPECT_TRUE(resultOf(store->forget(QStringLiteral("run"))));
    EXPECT_TRUE(resultOf(store->runs()).empty());
    store->scanNow();
    ASSERT_TRUE(hasRuns(*store, 1));
    EXPECT_EQ(resultOf(store->runs())[0].name, QStringLiteral("mine"));
}

}  // namespace
}  // namespace unmask::ui
