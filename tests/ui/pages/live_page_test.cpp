// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/live_page.h"

#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/chart_widget.h"
#include "ui/widgets/empty_state.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class LivePageTest : public test::PageFixture {
 protected:
    LivePageTest() {
        openStore();
        m_actions = std::make_unique<RunActions>(services());
        m_poems = addRun("poems", JournalText().started("poems").losses(1, 50).add(50, LogEvent{"the last words"}));
        m_plays = addRun("plays", JournalText().started("plays").losses(1, 20));
        FailedEvent full;
        full.error = "disk";
        full.reason = "[journal] cannot write events.jsonl: No space left on device";
        m_failed = addRun("failed", JournalText().started("failed").losses(1, 5).add(5, full));
        m_page = std::make_unique<LivePage>(services(), m_actions.get());
        m_page->resize(1100, 700);
        m_page->show();
    }
    void open(const QString& key) {
        m_page->openRun(key);
        ASSERT_TRUE(waitFor([&] { return m_page->session().row().key == key && chart("loss") && points() > 0; }));
    }
    ChartWidget* chart(const char* id) const {
        return m_page->findChild<ChartGrid*>(QStringLiteral("liveCharts"))->chart(QLatin1String(id));
    }
    size_t points() const {  // of the longest curve in the chart of the loss
        size_t most = 0;
        for (const QString& id : chart("loss")->seriesIds())
            most = std::max(most, chart("loss")->buffer(id)->size());
        return most;
    }
    Banner* banner() const { return m_page->findChild<Banner*>(); }
    QPushButton* bannerButton(const char* text) const {
        for (QPushButton* button : banner()->findChildren<QPushButton*>())
            if (button->text() == QLatin1String(text) && !button->isHidden())
                return button;
        return nullptr;
    }

    QString m_poems, m_plays, m_failed;
    std::unique_ptr<RunActions> m_actions;
    std::unique_ptr<LivePage> m_page;
};

TEST_F(LivePageTest, WithoutARunThePageSaysWhatItIsForAndWhereToGo) {
    auto* empty = m_page->findChild<EmptyState*>();
    EXPECT_TRUE(empty->isVisible());
    QSignalSpy pages(&m_navigator, &Navigator::pageRequested);
    Q_EMIT empty->mainRequested();
    Q_EMIT empty->secondRequested();
    ASSERT_EQ(pages.size(), 2);
    EXPECT_EQ(pages[0][0].value<PageId>(), PageId::newRun);
    EXPECT_EQ(pages[1][0].value<PageId>(), PageId::runs);
}

TEST_F(LivePageTest, ARunIsShownWithItsWholeCurveAndAnotherReplacesIt) {
    open(m_poems);
    EXPECT_TRUE(waitFor([&] { return points() == 50; }));
    EXPECT_FALSE(m_page->findChild<EmptyState*>()->isVisible());
    open(m_plays);
    EXPECT_TRUE(waitFor([&] { return points() == 20; })) << points();
}

TEST_F(LivePageTest, ExpertsHaveChartsWhereARunHasExperts) {
    open(m_plays);
    EXPECT_EQ(chart("experts"), nullptr);
    const std::map<std::string, double> sparse{
        {"train/loss", 3}, {"train/largest_expert_share", 0.25}, {"train/balance_loss", 1.1}};
    open(addRun("sparse", JournalText().started("sparse").metrics(1, sparse)));
    ASSERT_TRUE(waitFor([&] { return chart("experts") && !chart("experts")->seriesIds().isEmpty(); }));
    EXPECT_NE(chart("balance_loss"), nullptr);
}

TEST_F(LivePageTest, EnteringOpensTheRunThatTrainsElseTheOneWatchedLast) {
    m_settings.set(StudioSetting::lastRun, m_poems);
    m_page->entered();
    ASSERT_TRUE(waitFor([&] { return m_page->session().row().key == m_poems; }));
    const QString training = addActiveRun("training", JournalText().started("training").losses(1, 9));
    LivePage later(services(), m_actions.get());
    later.entered();
    EXPECT_TRUE(waitFor([&] { return later.session().row().key == training; }));
    EXPECT_EQ(m_page->session().row().key, m_poems) << "whoever watches a run is not led away from it";
}

TEST_F(LivePageTest, ARunThatIsGoneSaysWhyAndMayBeResumedFromHere) {
    open(m_poems);
    ASSERT_TRUE(waitFor([&] { return banner()->isVisible(); }));
    EXPECT_FALSE(banner()->sentence().isEmpty());
    engineAnswers("{}");
    ASSERT_TRUE(bannerButton("Resume"));
    bannerButton("Resume")->click();
    ASSERT_TRUE(waitFor([&] { return engineArguments().find("--resume") != std::string::npos; })) << engineArguments();
    EXPECT_NE(engineArguments().find(row(m_poems).folder.toStdString()), std::string::npos) << engineArguments();
}

TEST_F(LivePageTest, AFailureIsNamedInTheLanguageOfTheWindowWithTheEnginesSentence) {
    open(m_failed);
    ASSERT_TRUE(waitFor([&] { return banner()->isVisible(); }));
    EXPECT_TRUE(banner()->sentence().startsWith(QStringLiteral("The disk is full.")))
        << banner()->sentence().toStdString();
    EXPECT_TRUE(banner()->sentence().contains(QStringLiteral("No space left on device")));
    const test::ChineseWords chinese;
    EXPECT_TRUE(banner()->sentence().startsWith(QStringLiteral("磁盘已满"))) << banner()->sentence().toStdString();
    for (const QPushButton* button : banner()->findChildren<QPushButton*>())
        if (!button->isHidden()) {
            EXPECT_TRUE(test::isChinese(button->text())) << button->text().toStdString();
        }
}

TEST_F(LivePageTest, KeysTurnTheAxisAndTheSmoothing) {
    open(m_poems);
    m_page->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_page.get()));
    auto* charts = m_page->findChild<ChartGrid*>(QStringLiteral("liveCharts"));
    const double before = charts->smoothing().weight;
    charts->setFocus();
    QTest::keyClick(m_page.get(), Qt::Key_X);
    QTest::keyClick(m_page.get(), Qt::Key_Minus);
    EXPECT_EQ(charts->xAxis(), XAxis::tokens);
    EXPECT_LT(charts->smoothing().weight, before);
}

TEST_F(LivePageTest, TheMenuOffersEveryRunAndMarksTheOneThatIsOpen) {
    open(m_plays);
    QMenu* menu = nullptr;
    for (const QToolButton* button : m_page->findChildren<QToolButton*>())
        if (button->accessibleName() == QStringLiteral("Another run"))
            menu = button->menu();
    ASSERT_TRUE(menu);
    Q_EMIT menu->aboutToShow();
    ASSERT_EQ(menu->actions().size(), 3);
    int marked = 0;
    for (const QAction* action : menu->actions())
        marked += action->isChecked();
    EXPECT_EQ(marked, 1);
}

}  // namespace
}  // namespace unmask::ui
