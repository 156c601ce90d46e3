// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_page.h"

#include <QCheckBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/chart_widget.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/empty_state.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class ComparePageTest : public test::PageFixture {
 protected:
    ComparePageTest() {
        openStore();
        m_actions = std::make_unique<RunActions>(services());
        m_fast = addRunAt("fast", 4e-3, 99);
        m_slow = addRunAt("slow", 1e-3, 9);
        openPage();
    }
    void openPage() {
        m_page = std::make_unique<ComparePage>(services(), m_actions.get());
        m_page->resize(1200, 700);
        m_page->show();
    }
    QString addRunAt(const std::string& name, double rate, int64_t steps) {
        RunDescription description = test::describeRun(name, name);
        description.spec.optimizer.learningRate = rate;
        const RunFolder folder{m_folder.path() / "runs" / name};
        std::filesystem::create_directories(folder.path.parent_path());
        createRunFolder(folder, description);
        test::writeJournal(folder, JournalText().started(name).losses(1, steps).text());
        return addFolder(folder);
    }
    void compareBoth() {
        m_page->compare({m_fast, m_slow});
        ASSERT_TRUE(waitFor([&] { return curves().size() == 2 && differences()->model()->columnCount() == 3; }));
    }
    QStringList curves() const {
        const auto* chart =
            m_page->findChild<ChartGrid*>(QStringLiteral("compareCharts"))->chart(QStringLiteral("loss"));
        QStringList ids;
        for (const QString& id : chart->seriesIds())
            if (chart->buffer(id)->size() > 0)
                ids.append(id);
        return ids;
    }
    QList<Chip*> chips() const {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return m_page->findChildren<Chip*>();
    }
    QTableView* results() const { return m_page->findChild<QTableView*>(QStringLiteral("resultTable")); }
    QTableView* differences() const { return m_page->findChild<QTableView*>(QStringLiteral("differenceTable")); }
    QString header(const QTableView* table, int column) const {
        return table->model()->headerData(column, Qt::Horizontal).toString();
    }
    QString contents(const QTableView* table) const {
        QStringList texts;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            for (int column = 0; column < table->model()->columnCount(); ++column)
                texts.append(table->model()->index(row, column).data().toString());
        return texts.join(QLatin1Char('\n'));
    }

    QString m_fast, m_slow;
    std::unique_ptr<RunActions> m_actions;
    std::unique_ptr<ComparePage> m_page;
};

TEST_F(ComparePageTest, WithoutRunsThePageLeadsToTheList) {
    QSignalSpy pages(&m_navigator, &Navigator::pageRequested);
    ASSERT_TRUE(m_page->findChild<EmptyState*>()->isVisible());
    Q_EMIT m_page->findChild<EmptyState*>()->mainRequested();
    ASSERT_EQ(pages.size(), 1);
    EXPECT_EQ(pages[0][0].value<PageId>(), PageId::runs);
}

TEST_F(ComparePageTest, BothRunsStandInCurvesResultsAndSettings) {
    compareBoth();
    ASSERT_EQ(chips().size(), 2);
    EXPECT_EQ(chips()[0]->text(), QStringLiteral("fast"));
    EXPECT_EQ(results()->model()->columnCount(), 3);
    EXPECT_TRUE(header(results(), 1).contains(QStringLiteral("fast"))) << "the first one is the baseline";
    EXPECT_TRUE(contents(results()).contains(QStringLiteral("10.00"))) << contents(results()).toStdString();
    EXPECT_EQ(differences()->model()->rowCount(), 1) << contents(differences()).toStdString();
    EXPECT_TRUE(contents(differences()).contains(QStringLiteral("0.004")));
    EXPECT_TRUE(contents(differences()).contains(QStringLiteral("0.001")));
    m_page->findChild<QCheckBox*>()->click();
    EXPECT_GT(differences()->model()->rowCount(), 40);
}

TEST_F(ComparePageTest, AClickOnAChipAndTheKeyBChangeTheBaseline) {
    compareBoth();
    Q_EMIT chips()[1]->clicked();
    ASSERT_TRUE(waitFor([&] { return header(differences(), 1) == QStringLiteral("slow"); }));
    m_page->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_page.get()));
    m_page->setFocus();
    QTest::keyClick(m_page.get(), Qt::Key_B);
    EXPECT_EQ(header(differences(), 1), QStringLiteral("fast"));
}

TEST_F(ComparePageTest, AChipsCrossTakesItsRunOutAndTheBaselineGoesOn) {
    compareBoth();
    Q_EMIT chips()[0]->closeRequested();
    ASSERT_TRUE(waitFor([&] { return m_page->keys() == QStringList{m_slow}; }));
    EXPECT_EQ(curves().size(), 1);
    EXPECT_TRUE(header(results(), 1).contains(QStringLiteral("slow")));
    Q_EMIT chips()[0]->closeRequested();
    EXPECT_TRUE(waitFor([&] { return m_page->findChild<EmptyState*>()->isVisible(); }));
}

TEST_F(ComparePageTest, TheComparisonComesBackWhenTheStudioIsOpenedAnew) {
    compareBoth();
    openPage();
    m_page->entered();
    EXPECT_EQ(m_page->keys(), (QStringList{m_fast, m_slow}));
}

TEST_F(ComparePageTest, ARunThatHasLeftTheHistoryIsSaidAndTakenOut) {
    QSignalSpy messages(&m_navigator, &Navigator::messageRequested);
    m_page->compare({m_fast, QStringLiteral("gone")});
    ASSERT_TRUE(waitFor([&] { return m_page->keys() == QStringList{m_fast}; }));
    EXPECT_EQ(messages.size(), 1);
}

TEST_F(ComparePageTest, ARunThatTrainsOnGrowsHere) {
    compareBoth();
    const auto longest = [&] {
        const auto* chart = m_page->findChild<ChartGrid*>()->chart(QStringLiteral("loss"));
        size_t most = 0;
        for (const QString& id : chart->seriesIds())
            most = std::max(most, chart->buffer(id)->size());
        return most;
    };
    ASSERT_TRUE(waitFor([&] { return longest() == 99; }));
    test::writeJournal({m_folder.path() / "runs/fast"}, JournalText().started("fast").losses(1, 120).text());
    m_store->scanNow();
    m_store->addFolder(m_folder.path() / "runs/fast");
    EXPECT_TRUE(waitFor([&] { return longest() == 120; }));
}

TEST_F(ComparePageTest, SpeaksChinese) {
    compareBoth();
    const test::ChineseWords chinese;
    for (const QPushButton* button : m_page->findChildren<QPushButton*>())
        if (!button->text().isEmpty()) {
            EXPECT_TRUE(test::isChinese(button->text())) << button->text().toStdString();
        }
    EXPECT_TRUE(test::isChinese(m_page->findChild<QCheckBox*>()->text()));
    EXPECT_TRUE(test::isChinese(header(differences(), 0)));
    EXPECT_TRUE(test::isChinese(contents(differences()))) << contents(differences()).toStdString();
    EXPECT_TRUE(test::isChinese(contents(results())));
}

}  // namespace
}  // namespace unmask::ui
