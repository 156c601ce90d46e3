// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/runs_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"
#include "ui/pages/run_pane.h"
#include "ui/style/style.h"
#include "ui/widgets/empty_state.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class RunsPageTest : public test::PageFixture {
 protected:
    RunsPageTest() {
        openStore();
        m_actions = std::make_unique<RunActions>(services());
    }
    void openPage() {
        m_page = std::make_unique<RunsPage>(services(), m_actions.get());
        m_page->resize(1200, 700);
        m_page->show();
        m_page->activateWindow();
    }
    void addThreeRuns() {
        m_poems = addRun("poems", JournalText().started("poems").losses(1, 9));
        m_plays = addRun("plays", JournalText().started("plays").losses(1, 99));
        m_bare = addRun("bare", JournalText().started("bare"));
    }
    template <class Widget>
    Widget* find(const char* name = nullptr) const {
        return m_page->findChild<Widget*>(name ? QString::fromLatin1(name) : QString());
    }
    QTableView* table() const { return find<QTableView>("runTable"); }
    QPushButton* compare() const { return find<QPushButton>("compareButton"); }
    void choose(const QStringList& keys) {
        table()->clearSelection();
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            if (keys.contains(keyAt(row)))
                table()->selectionModel()->select(table()->model()->index(row, 0),
                                                  QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    QString keyAt(int row) const { return table()->model()->index(row, 0).data(RunTableModel::KeyRole).toString(); }
    bool says(const QString& text) const {
        for (const QLabel* label : m_page->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    }

    QString m_poems, m_plays, m_bare;
    std::unique_ptr<RunActions> m_actions;
    std::unique_ptr<RunsPage> m_page;
};

TEST_F(RunsPageTest, WithoutRunsThePageSaysWhatItIsForAndLeadsToTheForm) {
    openPage();
    EXPECT_TRUE(says(QStringLiteral("No runs yet")));
    EXPECT_FALSE(table()->isVisible());
    QSignalSpy pages(&m_navigator, &Navigator::pageRequested);
    Q_EMIT find<EmptyState>()->mainRequested();
    ASSERT_EQ(pages.size(), 1);
    EXPECT_EQ(pages[0][0].value<PageId>(), PageId::newRun);
    addThreeRuns();
    EXPECT_TRUE(table()->isVisible());
    EXPECT_TRUE(says(QStringLiteral("3 run(s)")));
    EXPECT_FALSE(find<RunPane>()->isHidden());  // one of them is chosen at once
}

TEST_F(RunsPageTest, TheFilterNarrowsTheTableIsKeptAndExplainsWhatItCannotRead) {
    addThreeRuns();
    openPage();
    auto* filter = find<QLineEdit>("runFilter");
    filter->setText(QStringLiteral("plays"));
    ASSERT_EQ(table()->model()->rowCount(), 1);
    EXPECT_EQ(keyAt(0), m_plays);
    EXPECT_TRUE(says(QStringLiteral("1 of 3 run(s)")));
    filter->setText(QStringLiteral("loss<much"));
    EXPECT_TRUE(says(QStringLiteral("much")));
    filter->setText(QStringLiteral("nothing-has-this-name"));
    EXPECT_EQ(table()->model()->rowCount(), 0);
    EXPECT_TRUE(find<RunPane>()->isHidden());
    EXPECT_TRUE(says(QStringLiteral("0 of 3 run(s)")));
    filter->setText(QStringLiteral("bare"));
    openPage();  // the studio is opened anew
    ASSERT_EQ(table()->model()->rowCount(), 1);
    EXPECT_EQ(keyAt(0), m_bare);
}

// Beside the pane, in the window as it opens the first time.
TEST_F(RunsPageTest, HowARunDoesIsInSightWithoutScrolling) {
    addThreeRuns();
    openPage();
    m_page->resize(Style::instance().px(92 - 10), Style::instance().px(54));  // less the rail
    choose({m_poems});
    ASSERT_TRUE(waitFor([&] { return find<RunPane>()->isVisible(); }));
    using Column = RunTableModel::Column;
    for (const Column column : {Column::state, Column::name, Column::progress, Column::loss, Column::validation}) {
        const int index = static_cast<int>(column);
        EXPECT_LE(table()->columnViewportPosition(index) + table()->columnWidth(index), table()->viewport()->width())
            << index;
    }
}

TEST_F(RunsPageTest, CompareNeedsTwoRunsAndNamesThoseChosen) {
    addThreeRuns();
    openPage();
    QSignalSpy compared(&m_navigator, &Navigator::compareRequested);
    choose({m_poems});
    EXPECT_FALSE(compare()->isEnabled());
    EXPECT_FALSE(find<RunPane>()->isHidden());
    choose({m_poems, m_plays});
    EXPECT_TRUE(find<RunPane>()->isHidden());  // it speaks of one run
    ASSERT_TRUE(compare()->isEnabled());
    compare()->click();
    ASSERT_EQ(compared.size(), 1);
    QStringList keys = compared[0][0].toStringList();
    EXPECT_EQ(keys.size(), 2);
    EXPECT_TRUE(keys.contains(m_poems) && keys.contains(m_plays));
}

TEST_F(RunsPageTest, KeysActOnTheChosenRun) {
    addThreeRuns();
    openPage();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_page.get()));
    QSignalSpy live(&m_navigator, &Navigator::liveRequested);
    table()->setFocus();
    choose({m_plays});
    QTest::keyClick(table(), Qt::Key_Return);
    ASSERT_EQ(live.size(), 1);
    EXPECT_EQ(live[0][0].toString(), m_plays);
    choose({m_plays, m_poems});
    QTest::keyClick(table(), Qt::Key_Delete);  // of several runs none is taken by accident
    choose({m_bare});
    QTest::keyClick(table(), Qt::Key_Delete);
    ASSERT_TRUE(waitFor([&] { return m_runs.rowCount() == 2; }));
    EXPECT_EQ(m_runs.find(m_bare), nullptr);
    QTest::keyClick(table(), Qt::Key_Slash);
    EXPECT_TRUE(find<QLineEdit>("runFilter")->hasFocus());
}

TEST_F(RunsPageTest, ADoubleClickOpensTheRunThatWasClicked) {
    addThreeRuns();
    openPage();
    table()->sortByColumn(static_cast<int>(RunTableModel::Column::loss), Qt::AscendingOrder);
    QSignalSpy live(&m_navigator, &Navigator::liveRequested);
    Q_EMIT table()->doubleClicked(table()->model()->index(0, 0));
    ASSERT_EQ(live.size(), 1);
    EXPECT_EQ(live[0][0].toString(), m_plays);  // the lowest loss
    EXPECT_EQ(keyAt(2), m_bare);                // a run without a loss comes last
}

TEST_F(RunsPageTest, ColumnsComeBackAsTheyWereLeft) {
    addThreeRuns();
    openPage();
    const int tags = static_cast<int>(RunTableModel::Column::tags);
    const int name = static_cast<int>(RunTableModel::Column::name);
    ASSERT_FALSE(table()->isColumnHidden(tags));
    table()->setColumnHidden(tags, true);
    table()->horizontalHeader()->resizeSection(name, 321);
    openPage();
    EXPECT_TRUE(table()->isColumnHidden(tags));
    EXPECT_EQ(table()->columnWidth(name), 321);
}

TEST_F(RunsPageTest, TheHistorysOwnTroubleIsToldAboveTheTable) {
    addThreeRuns();
    openPage();
    Q_EMIT m_store->statusChanged({StoreHealth::rebuilding, {}, 3, 10});
    EXPECT_TRUE(says(QStringLiteral("10"))) << "run folders to read";
    EXPECT_TRUE(says(QStringLiteral("3 done")));
    Q_EMIT m_store->statusChanged({StoreHealth::temporary, QStringLiteral("Another studio holds the history."), 0, 0});
    EXPECT_TRUE(says(QStringLiteral("Another studio holds the history.")));
    Q_EMIT m_store->statusChanged({StoreHealth::ready, {}, 0, 0});
    EXPECT_FALSE(says(QStringLiteral("Another studio")));
}

TEST_F(RunsPageTest, SpeaksChinese) {
    addThreeRuns();
    openPage();
    QSignalSpy redrawn(&m_runs, &QAbstractItemModel::headerDataChanged);
    const test::ChineseWords chinese;
    EXPECT_FALSE(redrawn.isEmpty());
    EXPECT_TRUE(test::isChinese(compare()->text()));
    EXPECT_TRUE(test::isChinese(find<QLineEdit>("runFilter")->placeholderText()));
    for (const RunTableModel::Column column : {RunTableModel::Column::state, RunTableModel::Column::loss})
        EXPECT_TRUE(test::isChinese(
            table()->model()->headerData(static_cast<int>(column), Qt::Horizontal, Qt::DisplayRole).toString()));
    const QModelIndex state = table()->model()->index(0, static_cast<int>(RunTableModel::Column::state));
    EXPECT_TRUE(test::isChinese(state.data().toString())) << state.data().toString().toStdString();
}

}  // namespace
}  // namespace unmask::ui
