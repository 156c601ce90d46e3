// SPDX-License-Identifier: Apache-2.0
// What happens to folders behind the studio's back: grown, moved, copied, replaced, deleted, damaged.
#include "ui/store/run_scanner.h"

#include <gtest/gtest.h>

#include "tests/support/temp_run.h"
#include "tests/ui/support/journal_text.h"
#include "tests/ui/support/wait_for.h"
#include "ui/settings/path_text.h"
#include "ui/store/run_store.h"

namespace unmask::ui {
namespace {

namespace fs = std::filesystem;
using test::JournalText;
using test::resultOf;

class RunScannerTest : public testing::Test {
 protected:
    RunScannerTest() {
        StoreOptions options;
        options.database = m_folder.path() / "history.sqlite";
        options.runsFolder = runs();
        options.scan = false;  // only when a test says so
        m_store = std::make_unique<RunStore>(options);
        m_store->open();
    }

    fs::path runs() const { return m_folder.path() / "runs"; }
    void scan() { resultOf(m_store->scanNow()); }
    RunRow row(const char* key) { return resultOf(m_store->history(QString::fromLatin1(key)))->row; }
    size_t points(const char* key) {
        return resultOf(m_store->series(QString::fromLatin1(key), QStringLiteral("train/loss")))->size();
    }
    static JournalText journal() {
        JournalText text;
        text.started().losses(1, 30);
        return text;
    }

    test::TempFolder m_folder;
    std::unique_ptr<RunStore> m_store;
};

TEST_F(RunScannerTest, ReadsOnlyWhatIsNewInAGrownJournal) {
    JournalText text = journal();
    const RunFolder folder = test::writeRun(runs(), "run", text);
    scan();
    EXPECT_EQ(points("run"), 30u);
    EXPECT_EQ(row("run").status.word, RunWord::interrupted) << "no process holds it";
    text.losses(31, 45).finished(45);
    test::writeJournal(folder, text.text());
    scan();
    EXPECT_EQ(points("run"), 45u);
    EXPECT_EQ(row("run").status.word, RunWord::finished);
}

TEST_F(RunScannerTest, AnotherHistoryInTheSameFolderIsReadFromItsBeginning) {
    const RunFolder folder = test::writeRun(runs(), "run", journal().finished(30));
    scan();
    ASSERT_EQ(points("run"), 30u);
    JournalText other;
    other.started().losses(1, 50).finished(50);
    test::writeJournal(folder, other.text());
    scan();
    EXPECT_EQ(points("run"), 50u);
    EXPECT_EQ(row("run").status.step, 50);
}

TEST_F(RunScannerTest, AMovedFolderIsFoundAgainAndALostOneKeepsItsCurve) {
    test::writeRun(runs(), "run", journal().finished(30));
    scan();
    fs::rename(runs() / "run", runs() / "Überprüfung");
    scan();
    scan();
    EXPECT_EQ(resultOf(m_store->runs()).size(), 1u);
    EXPECT_EQ(row("run").folder, fromPath(runs() / "Überprüfung"));
    EXPECT_EQ(row("run").status.word, RunWord::finished);
    fs::remove_all(runs() / "Überprüfung");
    scan();
    EXPECT_EQ(row("run").status.word, RunWord::lost);
    EXPECT_FALSE(row("run").status.evidence.empty());
    EXPECT_EQ(points("run"), 30u);
}

TEST_F(RunScannerTest, OfTwoFoldersWithOneIdTheSecondIsACopy) {
    test::writeRun(runs(), "run", journal().finished(30));
    scan();
    fs::copy(runs() / "run", runs() / "zz-copy", fs::copy_options::recursive);
    scan();
    const auto rows = resultOf(m_store->runs());
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].copy + rows[1].copy, 1);
    const RunRow& copy = rows[0].copy ? rows[0] : rows[1];
    EXPECT_EQ(copy.id, QStringLiteral("run"));
    EXPECT_NE(copy.key, copy.id);
    EXPECT_EQ(copy.folder, fromPath(runs() / "zz-copy"));
    EXPECT_EQ(points(qPrintable(copy.key)), 30u);
}

TEST_F(RunScannerTest, AnotherRunInAKnownFolderDoesNotInheritItsHistory) {
    test::writeRun(runs(), "run", journal().finished(30));
    scan();
    fs::remove_all(runs() / "run");
    const RunFolder folder{runs() / "run"};
    createRunFolder(folder, test::describeRun("other"));
    test::writeJournal(folder, JournalText().started("other").losses(1, 5).finished(5).text());
    scan();
    EXPECT_EQ(points("other"), 5u);
    EXPECT_EQ(points("run"), 30u);
    EXPECT_EQ(row("run").status.word, RunWord::lost);
}

TEST_F(RunScannerTest, DamageIsSaidAndTheRestKept) {
    JournalText text = journal().finished(30);
    std::string bytes = text.text();
    const size_t victim = bytes.find(text.lines()[10]);
    bytes[victim + 30] = static_cast<char>(bytes[victim + 30] ^ 1);
    test::writeJournal(test::writeRun(runs(), "run", JournalText()), bytes);
    scan();
    EXPECT_EQ(points("run"), 29u);
    EXPECT_TRUE(row("run").damage.contains(QLatin1String("events.jsonl"))) << toUtf8(row("run").damage);
}

TEST_F(RunScannerTest, AnEmptiedJournalDoesNotEmptyTheIndex) {
    const RunFolder folder = test::writeRun(runs(), "run", journal().finished(30));
    scan();
    test::writeJournal(folder, "");
    scan();
    EXPECT_EQ(points("run"), 30u);
}

}  // namespace
}  // namespace unmask::ui
