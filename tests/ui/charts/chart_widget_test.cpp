// SPDX-License-Identifier: Apache-2.0
// A real ChartWidget off screen: when it draws, and what it says.
#include <QTest>

#include "tests/ui/charts/chart_fixture.h"
#include "ui/charts/chart_clock.h"

namespace unmask::ui {
namespace {

TEST_F(ChartWidgetTest, HiddenChartsDrawNothingAndCatchUpWhenShown) {
    ChartWidget hidden;
    hidden.addSeries(kId, {.name = QStringLiteral("loss")});
    hidden.appendBatch(kId, points({3, 2, 1}));
    QTest::qWait(3 * kFrameIntervalMs);
    EXPECT_TRUE(hidden.accessibleDescription().isEmpty()) << "no frame was made";
    hidden.show();
    QTest::qWait(3 * kFrameIntervalMs);
    EXPECT_TRUE(hidden.accessibleDescription().contains(QLatin1String("3 point(s)")));
}

TEST_F(ChartWidgetTest, UpdatesAreCoalescedToTheFrameRate) {
    m_chart.show();
    QTest::qWait(50);
    int paints = 0;
    struct Counter : QObject {
        explicit Counter(int& total) : count(total) {}
        bool eventFilter(QObject*, QEvent* event) override {
            count += event->type() == QEvent::Paint;
            return false;
        }
        int& count;
    } counter(paints);
    m_chart.installEventFilter(&counter);
    for (int i = 0; i < 100; ++i) {
        m_chart.appendBatch(kId, points({1.0 * i}, i + 1));
        QTest::qWait(5);
    }
    EXPECT_LE(paints, 12) << "100 batches in about half a second";
    EXPECT_GE(paints, 3);
}

TEST_F(ChartWidgetTest, TextSummarySaysValueTrendAndCount) {
    std::vector<double> values;
    for (int i = 0; i < 8420; ++i)
        values.push_back(2.913 + 3 * std::exp(-i * 0.0005));
    m_chart.setData(kId, points(values));
    EXPECT_EQ(m_chart.textSummary().toStdString(), "loss 2.958, falling, 8,420 point(s)");
    m_chart.setData(kId, points(std::vector<double>(100, 1.0)));
    EXPECT_TRUE(m_chart.textSummary().contains(QLatin1String("steady")));
    m_chart.clearSeries();
    EXPECT_EQ(m_chart.textSummary().toStdString(), "No data yet");
}

TEST_F(ChartWidgetTest, FrozenChartKeepsItsPicture) {
    m_chart.setData(kId, points({3, 2, 1}));
    const QImage before = shown();
    m_chart.setFrozen(true);
    m_chart.appendBatch(kId, points({9, 9, 9}, 4));
    QTest::qWait(2 * kFrameIntervalMs);
    EXPECT_EQ(m_chart.grab().toImage(), before);
    m_chart.setFrozen(false);
    QTest::qWait(2 * kFrameIntervalMs);
    EXPECT_NE(m_chart.grab().toImage(), before);
}

}  // namespace
}  // namespace unmask::ui
