// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_grid.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QTest>
#include <set>

#include "engine/protocol/metric_names.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/chart_table.h"
#include "ui/charts/chart_widget.h"

namespace unmask::ui {
namespace {

PointBatch three(double first) {
    PointBatch batch;
    for (int i = 0; i < 3; ++i)
        batch.push(i + 1, i * 100.0, i, 1.7e9 + i, first + i);
    return batch;
}

TEST(ChartRegistry, KnowsItsMetricsAndHasNoDoubles) {
    std::set<std::string_view> ids;
    for (const ChartInfo& chart : allCharts()) {
        EXPECT_TRUE(ids.insert(chart.id).second) << chart.id;
        EXPECT_FALSE(chart.title.zh.empty()) << chart.id;
        for (const ChartMetric& metric : chart.metrics)
            EXPECT_NE(findMetric(metric.name), nullptr) << metric.name;
    }
    for (const char* id : {"loss", "grad_norm", "learning_rate", "tokens_per_second", "device_temperature",
                           "device_memory", "device_utilization", "host_cpu", "host_memory"})
        EXPECT_NE(findChart(id), nullptr) << id;
}

TEST(ChartRegistry, DevicesAreSeries) {
    const ChartInfo& chart = *findChart("device_temperature");
    EXPECT_EQ(matchMetric(chart, "device/3/temperature").device, 3);
    EXPECT_EQ(matchMetric(chart, "device/11/temperature").device, 11);
    EXPECT_EQ(matchMetric(chart, "device/3/power").metric, nullptr);
    EXPECT_EQ(matchMetric(chart, "device//temperature").metric, nullptr);
    EXPECT_EQ(matchMetric(chart, "train/loss").metric, nullptr);
}

class ChartGridTest : public testing::Test {
 protected:
    void SetUp() override {
        m_grid.resize(1200, 800);
        m_grid.setCharts({QStringLiteral("loss"), QStringLiteral("grad_norm"), QStringLiteral("device_temperature")});
        m_grid.addRun(QStringLiteral("a"), QStringLiteral("run A"));
    }
    ChartWidget* loss() { return m_grid.chart(QStringLiteral("loss")); }
    ChartGrid m_grid;
};

TEST_F(ChartGridTest, DataFindsItsCharts) {
    m_grid.setData(QStringLiteral("a"), QStringLiteral("train/loss"), three(3));
    m_grid.setData(QStringLiteral("a"), QStringLiteral("validation/loss"), three(4));
    m_grid.setData(QStringLiteral("a"), QStringLiteral("device/0/temperature"), three(60));
    m_grid.setData(QStringLiteral("a"), QStringLiteral("device/1/temperature"), three(70));
    m_grid.appendBatch(QStringLiteral("a"), QStringLiteral("train/loss"), three(2));
    ASSERT_EQ(loss()->seriesIds().size(), 2);
    EXPECT_EQ(loss()->buffer(loss()->seriesIds()[0])->size(), 6U);
    EXPECT_EQ(m_grid.chart(QStringLiteral("device_temperature"))->seriesIds().size(), 2);
    EXPECT_TRUE(m_grid.chart(QStringLiteral("grad_norm"))->seriesIds().isEmpty());
    EXPECT_TRUE(loss()->textSummary().contains(QLatin1String("validation 6.000")));
}

TEST_F(ChartGridTest, SecondRunBringsColoursAndMarks) {
    m_grid.setData(QStringLiteral("a"), QStringLiteral("train/loss"), three(3));
    EXPECT_FALSE(loss()->textSummary().contains(QLatin1String("run A")));
    m_grid.addRun(QStringLiteral("b"), QStringLiteral("run B"));
    m_grid.setData(QStringLiteral("b"), QStringLiteral("train/loss"), three(5));
    EXPECT_TRUE(loss()->textSummary().contains(QLatin1String("run A")));
    EXPECT_TRUE(loss()->textSummary().contains(QLatin1String("run B")));
    EXPECT_NE(m_grid.runColor(QStringLiteral("a")), m_grid.runColor(QStringLiteral("b")));
    EXPECT_NE(m_grid.runMark(QStringLiteral("a")), m_grid.runMark(QStringLiteral("b")));
    m_grid.removeRun(QStringLiteral("a"));
    EXPECT_EQ(loss()->seriesIds().size(), 1);
    m_grid.addRun(QStringLiteral("c"), QStringLiteral("run C"));
    EXPECT_NE(m_grid.runColor(QStringLiteral("c")), m_grid.runColor(QStringLiteral("b"))) << "the free colour is taken";
}

TEST_F(ChartGridTest, CommonOptionsReachEveryChartAndAreRestored) {
    m_grid.setXAxis(XAxis::tokens);
    m_grid.setSmoothing({SmoothingKind::timeWeighted, 0.8});
    loss()->setLog(true);
    const QByteArray state = m_grid.saveState();
    ChartGrid other;
    other.restoreState(state);
    EXPECT_EQ(other.charts(), m_grid.charts());
    EXPECT_EQ(other.xAxis(), XAxis::tokens);
    EXPECT_EQ(other.smoothing(), (Smoothing{SmoothingKind::timeWeighted, 0.8}));
    EXPECT_TRUE(other.chart(QStringLiteral("loss"))->options().logarithmic);
    EXPECT_EQ(other.chart(QStringLiteral("grad_norm"))->options().xAxis, XAxis::tokens);
    for (const char* broken : {"", "{}", "[1,2", "{\"charts\":[{\"id\":\"loss\",\"range\":99}],\"x\":-4}"})
        other.restoreState(broken);
    EXPECT_EQ(other.charts(), QStringList{QStringLiteral("loss")});
}

TEST_F(ChartGridTest, ChartsAddedLaterStartLikeTheOthers) {
    m_grid.setXAxis(XAxis::activeTime);
    m_grid.setCharts({QStringLiteral("host_cpu"), QStringLiteral("no such chart")});
    EXPECT_EQ(m_grid.charts(), QStringList{QStringLiteral("host_cpu")});
    EXPECT_EQ(m_grid.chart(QStringLiteral("host_cpu"))->options().xAxis, XAxis::activeTime);
    EXPECT_EQ(loss(), nullptr);
}

TEST_F(ChartGridTest, MaximisedChartIsAlone) {
    m_grid.show();
    m_grid.maximise(QStringLiteral("grad_norm"));
    EXPECT_FALSE(loss()->isVisible());
    EXPECT_TRUE(m_grid.chart(QStringLiteral("grad_norm"))->isVisible());
    m_grid.maximise({});
    EXPECT_TRUE(loss()->isVisible());
}

TEST_F(ChartGridTest, EveryControlHasAName) {
    for (const QWidget* widget : m_grid.findChildren<QWidget*>())
        if (widget->focusPolicy() != Qt::NoFocus) {
            EXPECT_FALSE(widget->accessibleName().isEmpty()) << widget->metaObject()->className();
        }
}

TEST_F(ChartGridTest, TableReadsTheBuffer) {
    m_grid.setData(QStringLiteral("a"), QStringLiteral("train/loss"), three(3));
    ChartTableModel model(loss(), loss()->seriesIds()[0]);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.index(2, ChartTableModel::step).data().toString(), QStringLiteral("3"));
    EXPECT_EQ(model.index(2, ChartTableModel::raw).data().toString(), QStringLiteral("5"));
    m_grid.appendBatch(QStringLiteral("a"), QStringLiteral("train/loss"), three(9));
    model.reload();
    EXPECT_EQ(model.rowCount(), 6);
}

}  // namespace
}  // namespace unmask::ui
