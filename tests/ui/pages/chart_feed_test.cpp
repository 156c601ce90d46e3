// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/chart_feed.h"

#include <QSignalSpy>

#include "tests/ui/models/session_fixture.h"
#include "ui/charts/chart_widget.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class ChartFeedTest : public test::SessionFixture {
 protected:
    void feed(const JournalText& text) {
        openWith(text);
        m_grid.setCharts({QStringLiteral("loss")});
        m_feed = std::make_unique<ChartFeed>(m_session.get(), &m_grid);
        QSignalSpy complete(m_feed.get(), &ChartFeed::complete);
        m_feed->restart();
        ASSERT_TRUE(waitFor([&] { return !complete.isEmpty(); }));
    }
    const SeriesBuffer* drawn() const {
        const QStringList series = m_grid.chart(QStringLiteral("loss"))->seriesIds();
        return series.size() == 1 ? m_grid.chart(QStringLiteral("loss"))->buffer(series.first()) : nullptr;
    }
    // Every step from 1 on, once, in order, with the value that the journal gave it.
    void expectWholeCurve(size_t last) const {
        ASSERT_TRUE(drawn());
        const auto& steps = drawn()->axis(XAxis::step);
        ASSERT_EQ(drawn()->size(), last);
        for (size_t i = 0; i < last; ++i) {
            ASSERT_EQ(steps.at(i), static_cast<double>(i + 1));
            ASSERT_FLOAT_EQ(static_cast<float>(drawn()->values().at(i)),
                            static_cast<float>(1000.0 / static_cast<double>(i + 2)));
        }
    }

    ChartGrid m_grid;
    std::unique_ptr<ChartFeed> m_feed;
};

TEST_F(ChartFeedTest, TheChartsGetTheWholeCurveOnceAndThenWhatIsNew) {
    feed(JournalText().started().losses(1, 100));
    expectWholeCurve(100);
    sayNew([](JournalText& journal) { journal.losses(101, 130); });
    ASSERT_TRUE(waitFor([&] { return drawn()->size() >= 130; }));
    expectWholeCurve(130);
    sayNew([](JournalText& journal) { journal.losses(131, 140); });
    ASSERT_TRUE(waitFor([&] { return drawn()->size() >= 140; }));
    expectWholeCurve(140);
}

TEST_F(ChartFeedTest, WhatAResumeTookBackIsSetAsideAndTheJointIsMarked) {
    feed(JournalText().started().losses(1, 50).resumed(30).losses(31, 60));
    expectWholeCurve(60);
    ASSERT_EQ(drawn()->joints().size(), 1U);
    EXPECT_EQ(drawn()->joints().front(), 30U);
    ASSERT_EQ(drawn()->beforeResume().size(), 1U);
    EXPECT_EQ(drawn()->beforeResume().front().values.size(), 20U);
}

// The run is resumed while people look on.
TEST_F(ChartFeedTest, ALiveResumeDrawsNoPointTwice) {
    feed(JournalText().started().losses(1, 50));
    sayNew([](JournalText& journal) { journal.resumed(30).losses(31, 60); });
    ASSERT_TRUE(waitFor([&] { return drawn() && drawn()->joints().size() == 1 && drawn()->size() == 60; }));
    expectWholeCurve(60);
}

TEST_F(ChartFeedTest, PointsThatComeWhileTheHistoryIsHandedOverAreNeitherLostNorDoubled) {
    openWith(JournalText().started().losses(1, 100));
    m_grid.setCharts({QStringLiteral("loss")});
    m_feed = std::make_unique<ChartFeed>(m_session.get(), &m_grid);
    m_feed->restart();
    sayNew([](JournalText& journal) { journal.losses(101, 120); });
    ASSERT_TRUE(waitFor([&] { return drawn() && drawn()->size() >= 120; }));
    expectWholeCurve(120);
}

TEST_F(ChartFeedTest, AfterStopTheChartsAreEmptyUntilTheNextStart) {
    feed(JournalText().started().losses(1, 20));
    m_feed->stop();
    EXPECT_EQ(drawn(), nullptr);
    m_feed->restart();
    ASSERT_TRUE(waitFor([&] { return drawn() && drawn()->size() >= 20; }));
    expectWholeCurve(20);
}

TEST(PointsOf, BeginsWhereItIsToldAndMayBeEmpty) {
    SeriesColumns columns;
    columns.step = {1, 2, 3};
    columns.value = {9, 8, 7};
    columns.tokens = {10, 20, 30};
    columns.elapsed = columns.wall = {0.1, 0.2, 0.3};
    EXPECT_EQ(pointsOf(columns).size(), 3U);
    ASSERT_EQ(pointsOf(columns, 1).size(), 2U);
    EXPECT_EQ(pointsOf(columns, 1).step.front(), 2);
    EXPECT_EQ(pointsOf(columns, 1).value.front(), 8);
    EXPECT_TRUE(pointsOf(columns, 9).empty());
}

}  // namespace
}  // namespace unmask::ui
