// SPDX-License-Identifier: Apache-2.0
// Mouse and keys on a real chart.
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/charts/chart_fixture.h"
#include "ui/charts/chart_group.h"

namespace unmask::ui {
namespace {

TEST_F(ChartWidgetTest, CursorIsSharedAndReadsFullData) {
    ChartWidget other;
    other.resize(640, 360);
    other.addSeries(kId, {.name = QStringLiteral("norm")});
    other.setData(kId, points({5, 6, 7, 8}));
    m_chart.setData(kId, points({1, 2, 3, 4}));
    m_chart.syncCursorWith(&other);
    shown();
    other.show();
    other.renderNow();
    const QImage before = other.grab().toImage();
    QSignalSpy moved(&m_chart, &ChartWidget::cursorMoved);
    moveTo(400, 180);
    ASSERT_GE(moved.size(), 1);
    EXPECT_NE(other.grab().toImage(), before) << "the other chart shows the line too";
    QTest::keyClick(&m_chart, Qt::Key_Home);
    QTest::keyClick(&m_chart, Qt::Key_Right);
    EXPECT_EQ(moved.constLast().constFirst().toDouble(), 2) << "from point to point";
    EXPECT_TRUE(m_chart.accessibleDescription().contains(QLatin1String("loss 2.000")));
    QTest::keyClick(&m_chart, Qt::Key_Escape);
    EXPECT_TRUE(std::isnan(moved.constLast().constFirst().toDouble()));
}

TEST_F(ChartWidgetTest, BoxZoomKeysAndReset) {
    m_chart.setData(kId, points(std::vector<double>(1000, 1.5)));
    shown();
    QSignalSpy changed(&m_chart, &ChartWidget::viewChanged);
    const QImage whole = shown();
    QTest::mousePress(&m_chart, Qt::LeftButton, {}, QPoint(200, 180));
    moveTo(300, 182, Qt::LeftButton);
    QTest::mouseRelease(&m_chart, Qt::LeftButton, {}, QPoint(300, 182));
    EXPECT_EQ(changed.size(), 1);
    leave();
    EXPECT_NE(shown(), whole);
    QTest::mouseDClick(&m_chart, Qt::LeftButton, {}, QPoint(300, 180));
    QTest::mouseRelease(&m_chart, Qt::LeftButton, {}, QPoint(300, 180));
    leave();
    EXPECT_EQ(shown(), whole) << "double-click shows everything again";
    m_chart.setFocus();
    QTest::keyClick(&m_chart, Qt::Key_Plus);
    EXPECT_EQ(changed.size(), 3);
    QTest::keyClick(&m_chart, Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(&m_chart, Qt::Key_0);
    EXPECT_EQ(changed.size(), 5);
    QSignalSpy options(&m_chart, &ChartWidget::optionsChanged);
    QTest::keyClick(&m_chart, Qt::Key_L);
    EXPECT_TRUE(m_chart.options().logarithmic);
    EXPECT_EQ(options.size(), 1);
}

}  // namespace
}  // namespace unmask::ui
