// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/live_tabs.h"

#include <QCheckBox>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"
#include "ui/pages/log_tab.h"
#include "ui/pages/samples_tab.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class LiveTabsTest : public test::PageFixture {
 protected:
    // As the page does: the tabs are there before the run.
    LiveTabsTest() {
        openWith(JournalText()
                     .started()
                     .losses(1, 10)
                     .checkpoint(10)
                     .losses(11, 20)
                     .add(20, SampleEvent{"To be", " or not"})
                     .checkpoint(20));
        test::writeBytes(m_folder.path() / "runs/run/logs/rank-0.log", "first line\nsecond line\n");
        m_tabs = std::make_unique<LiveTabs>(m_session.get());
        m_tabs->resize(900, 300);
        m_tabs->show();
        Q_EMIT m_session->loaded();
    }
    QTableView* events() const { return qobject_cast<QTableView*>(m_tabs->widget(0)); }
    QTableView* checkpoints() const { return qobject_cast<QTableView*>(m_tabs->widget(3)); }
    QTableView* config() const { return m_tabs->widget(4)->findChild<QTableView*>(); }
    QString cell(const QTableView* table, int row, int column) const {
        return table->model()->index(row, column).data().toString();
    }

    std::unique_ptr<LiveTabs> m_tabs;
};

TEST_F(LiveTabsTest, EventsStandInOrderAndAClickShowsWhereInTheCharts) {
    ASSERT_EQ(events()->model()->rowCount(), 4);
    EXPECT_TRUE(cell(events(), 1, 3).contains(QStringLiteral("step-10"))) << cell(events(), 1, 3).toStdString();
    QSignalSpy chosen(m_tabs.get(), &LiveTabs::stepChosen);
    events()->selectRow(1);
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].toDouble(), 10);
}

TEST_F(LiveTabsTest, KeysWalkFromTheNewestEventAndStopAtBothEnds) {
    QSignalSpy chosen(m_tabs.get(), &LiveTabs::stepChosen);
    m_tabs->setCurrentIndex(3);
    m_tabs->stepEvent(-1);
    EXPECT_EQ(m_tabs->currentIndex(), 0);
    EXPECT_EQ(events()->currentIndex().row(), 3);
    for (int i = 0; i < 9; ++i)
        m_tabs->stepEvent(-1);
    EXPECT_EQ(events()->currentIndex().row(), 0);
    m_tabs->stepEvent(1);
    EXPECT_EQ(events()->currentIndex().row(), 1);
    EXPECT_EQ(chosen.last()[0].toDouble(), 10);
}

TEST_F(LiveTabsTest, NewEventsAndCheckpointsAppear) {
    EXPECT_EQ(checkpoints()->model()->rowCount(), 2);
    sayNew([](JournalText& journal) { journal.losses(21, 30).checkpoint(30); });
    EXPECT_TRUE(waitFor([&] { return events()->model()->rowCount() == 5; }));
    EXPECT_TRUE(waitFor([&] { return checkpoints()->model()->rowCount() == 3; }));
}

TEST_F(LiveTabsTest, TheLogIsThatOfTheRun) {
    m_tabs->showLog();
    EXPECT_EQ(m_tabs->currentWidget(), m_tabs->findChild<LogTab*>());
    const auto* list = m_tabs->findChild<LogTab*>()->findChild<QListView*>();
    ASSERT_TRUE(waitFor([&] { return list->model()->rowCount() == 2; }));
    EXPECT_TRUE(waitFor([&] { return list->model()->index(1, 0).data().toString() == QStringLiteral("second line"); }));
}

TEST_F(LiveTabsTest, SettingsNarrowToWhatDiffersFromTheDefaults) {
    const int every = config()->model()->rowCount();
    EXPECT_GT(every, 40);
    m_tabs->findChild<QCheckBox*>()->click();
    const int differing = config()->model()->rowCount();
    EXPECT_GT(differing, 0);  // the data file
    EXPECT_LT(differing, 5);
    EXPECT_TRUE(cell(config(), 0, 2).contains(QStringLiteral("poems"))) << cell(config(), 0, 2).toStdString();
    m_tabs->findChild<QCheckBox*>()->click();
    EXPECT_EQ(config()->model()->rowCount(), every);
}

TEST_F(LiveTabsTest, AskingForASampleIsPassedOn) {
    QSignalSpy asked(m_tabs.get(), &LiveTabs::sampleRequested);
    auto* samples = m_tabs->findChild<SamplesTab*>();
    samples->findChild<QPushButton*>()->setEnabled(true);
    samples->findChild<QPushButton*>()->click();
    EXPECT_EQ(asked.size(), 1);
}

TEST_F(LiveTabsTest, SpeaksChinese) {
    const test::ChineseWords chinese;
    for (int i = 0; i < m_tabs->count(); ++i)
        EXPECT_TRUE(test::isChinese(m_tabs->tabText(i))) << m_tabs->tabText(i).toStdString();
    for (const QTableView* table : {events(), checkpoints(), config()})
        EXPECT_TRUE(test::isChinese(table->model()->headerData(0, Qt::Horizontal).toString()))
            << table->model()->headerData(0, Qt::Horizontal).toString().toStdString();
    EXPECT_TRUE(test::isChinese(cell(events(), 0, 3))) << cell(events(), 0, 3).toStdString();
    EXPECT_TRUE(test::isChinese(m_tabs->findChild<QCheckBox*>()->text()));
    EXPECT_TRUE(test::isChinese(checkpoints()->accessibleName())) << "a name given once stays English";
}

}  // namespace
}  // namespace unmask::ui
