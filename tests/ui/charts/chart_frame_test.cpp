// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_frame.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <cmath>

#include "ui/charts/chart_hover.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

class ChartFrameTest : public testing::Test {
 protected:
    ChartSeries& add(const QString& name, const std::vector<double>& values) {
        m_state.series.push_back(std::make_unique<ChartSeries>());
        ChartSeries& series = *m_state.series.back();
        series.id = series.look.name = name;
        PointBatch batch;
        for (size_t i = 0; i < values.size(); ++i)
            batch.push(static_cast<double>(i), static_cast<double>(i), static_cast<double>(i),
                       1.7e9 + static_cast<double>(i), values[i]);
        series.buffer.append(batch);
        return series;
    }
    ChartFrame frame() {
        FrameRequest request;
        request.size = QSize(800, 400);
        request.colors = &lightChartColors();
        request.font = Style::instance().font(FontRole::caption);
        return ChartFrame(m_state, request);
    }
    void SetUp() override { m_state.options.smoothing.kind = SmoothingKind::none; }
    ChartState m_state;
};

TEST_F(ChartFrameTest, PixelsAndValuesAreInverse) {
    add(QStringLiteral("a"), {1, 5, 3, 9});
    const ChartFrame made = frame();
    for (const QPointF value : {QPointF(0, 1), QPointF(2.5, 4.25), QPointF(3, 9)}) {
        const QPointF pixel = made.toPixels(value);
        EXPECT_NEAR(made.xAt(pixel.x()), value.x(), 1e-9);
        EXPECT_NEAR(made.yAt(pixel.y()), value.y(), 1e-9);
        EXPECT_TRUE(made.plot().contains(pixel));
    }
}

TEST_F(ChartFrameTest, FewPointsAreAllShownWhateverTheRange) {
    m_state.options.yRange = YRange::percentile5;
    add(QStringLiteral("a"), {1, 1, 1, 50});
    EXPECT_GT(frame().yRange().to, 50);
}

TEST_F(ChartFrameTest, PercentilesLeaveASpikeOutside) {
    std::vector<double> values(500);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i % 7);
    values[250] = 1e6;
    add(QStringLiteral("a"), values);
    m_state.options.yRange = YRange::percentile5;
    EXPECT_LT(frame().yRange().to, 10);
    m_state.options.yRange = YRange::all;
    EXPECT_GT(frame().yRange().to, 1e6);
    m_state.yZoom = Range{2, 3};
    EXPECT_EQ(frame().yRange(), (Range{2, 3}));
}

TEST_F(ChartFrameTest, LogRangeIsInDecades) {
    add(QStringLiteral("a"), {0, 0.01, 1, 100});
    m_state.options.logarithmic = true;
    const Range range = frame().yRange();
    EXPECT_GT(range.from, -2.5);
    EXPECT_LT(range.to, 2.5);
}

TEST_F(ChartFrameTest, ConstantAndZeroSeriesHaveRoom) {
    add(QStringLiteral("a"), std::vector<double>(100, 3e-4));
    const Range small = frame().yRange();
    EXPECT_LT(small.from, 3e-4);
    EXPECT_GT(small.to, 3e-4);
    m_state.series.clear();
    add(QStringLiteral("b"), std::vector<double>(100, 0.0));
    EXPECT_GT(frame().yRange().span(), 0);
}

TEST_F(ChartFrameTest, OnlyBadValuesStillMakeAPicture) {
    add(QStringLiteral("a"), {NAN, INFINITY, -INFINITY});
    QImage image(800, 400, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    PlotScene scene;
    frame().paint(painter, scene);
    EXPECT_TRUE(std::isfinite(frame().yRange().span()));
}

TEST_F(ChartFrameTest, ReadingsAreNearestAndSortedWithBadOnesLast) {
    add(QStringLiteral("a"), {1, 2, NAN, 4});
    add(QStringLiteral("b"), {5, 6, 7, 8});
    add(QStringLiteral("c"), {9, 0, 1, 2});
    const ChartFrame made = frame();
    const auto names = [&](double x) {
        std::string all;
        for (const Reading& reading : readingsAt(m_state, made, x, made.toPixels({0, 6.5}).y()))
            all += reading.series->look.name.toStdString();
        return all;
    };
    EXPECT_EQ(names(2.2), "abc");
    m_state.options.tooltipOrder = TooltipOrder::ascending;
    EXPECT_EQ(names(2.2), "cba");
    m_state.options.tooltipOrder = TooltipOrder::descending;
    EXPECT_EQ(names(2.2), "bca");
    m_state.options.tooltipOrder = TooltipOrder::nearest;
    EXPECT_EQ(names(3.4), "bac");
    const std::vector<Reading> readings = readingsAt(m_state, made, 1.4, 0);
    EXPECT_EQ(readings[0].index, 1U);
    EXPECT_TRUE(readingText(m_state, readings).contains(QLatin1String("b 6.000")));
}

TEST_F(ChartFrameTest, SmoothedReadingKeepsTheRawValue) {
    m_state.options.smoothing = {SmoothingKind::exponential, 0.6};
    add(QStringLiteral("a"), {1, 2, 3});
    const Reading reading = readingsAt(m_state, frame(), 2, 0).front();
    EXPECT_EQ(reading.raw, 3);
    EXPECT_DOUBLE_EQ(reading.shown, 1.824 / 0.784);
}

TEST_F(ChartFrameTest, UnitsChooseTheirWords) {
    m_state.unit = QStringLiteral("bytes");
    EXPECT_EQ(valueText(m_state, 96.0 * 1073741824).toStdString(), "96.0 GiB");
    m_state.unit = QStringLiteral("tokens/s");
    EXPECT_EQ(valueText(m_state, 498000).toStdString(), "498 k tok/s");
    m_state.unit = QStringLiteral("nats/token");
    EXPECT_EQ(valueText(m_state, 2.91296).toStdString(), "2.913");
    EXPECT_EQ(valueText(m_state, NAN).toStdString(), "NaN");
}

}  // namespace
}  // namespace unmask::ui
