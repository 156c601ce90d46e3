// SPDX-License-Identifier: Apache-2.0
// What Qt Charts does with our lines, pixel by pixel: its treatment of NaN is undocumented, so this test holds it.
#include "ui/charts/plot_scene.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <cmath>

namespace unmask::ui {
namespace {

constexpr int kWidth = 200;
constexpr int kHeight = 100;

QImage drawn(PlotScene& scene, const QList<PlotLine>& lines) {
    QImage image(kWidth, kHeight, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    scene.paint(painter, QRectF(0, 0, kWidth, kHeight), lines, false);
    return image;
}

bool inked(const QImage& image, int x) {
    for (int y = 0; y < kHeight; ++y)
        if (image.pixelColor(x, y) != QColor(Qt::white))
            return true;
    return false;
}

PlotLine flat(double y, const QColor& color) {
    PlotLine line;
    for (int x = 0; x < kWidth; ++x)
        line.points.append(QPointF(x, y));
    line.color = color;
    return line;
}

TEST(PlotScene, PixelsAreWhereTheyWereGiven) {
    PlotScene scene;
    const QImage image = drawn(scene, {flat(30, Qt::red)});
    EXPECT_EQ(image.pixelColor(100, 30), QColor(Qt::red));
    EXPECT_EQ(image.pixelColor(100, 36), QColor(Qt::white));
    EXPECT_EQ(image.pixelColor(100, 70), QColor(Qt::white)) << "y grows downwards";
}

TEST(PlotScene, NaNBreaksTheLineCleanly) {
    PlotScene scene;
    PlotLine line = flat(50, Qt::blue);
    for (int x = 80; x < 120; ++x)
        line.points[x].setY(NAN);
    const QImage image = drawn(scene, {line});
    EXPECT_TRUE(inked(image, 40));
    EXPECT_TRUE(inked(image, 160));
    for (int x = 82; x < 117; ++x)
        EXPECT_FALSE(inked(image, x)) << x;
}

TEST(PlotScene, NaNAtTheEndsAndAloneIsHarmless) {
    PlotScene scene;
    PlotLine line = flat(50, Qt::blue);
    line.points[0].setY(NAN);
    line.points[kWidth - 1].setY(NAN);
    EXPECT_TRUE(inked(drawn(scene, {line}), 100));
    PlotLine nothing;
    nothing.points = {QPointF(1, NAN), QPointF(2, NAN)};
    nothing.color = Qt::blue;
    EXPECT_FALSE(inked(drawn(scene, {nothing}), 1));
}

TEST(PlotScene, AFrameShowsItsOwnLinesOnly) {
    PlotScene scene;
    drawn(scene, {flat(20, Qt::red), flat(60, Qt::blue)});
    const QImage image = drawn(scene, {flat(40, Qt::green)});
    EXPECT_EQ(image.pixelColor(100, 40), QColor(Qt::green));
    EXPECT_EQ(image.pixelColor(100, 20), QColor(Qt::white));
    EXPECT_EQ(image.pixelColor(100, 60), QColor(Qt::white));
}

TEST(PlotScene, LinesAreClippedToThePlot) {
    PlotScene scene;
    QImage image(kWidth, kHeight, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    PlotLine steep;
    steep.color = Qt::red;
    steep.points = {QPointF(-50, -800), QPointF(150, 800)};
    scene.paint(painter, QRectF(50, 30, 100, 40), {steep}, false);
    painter.end();
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            if (!QRect(50, 30, 100, 41).contains(x, y)) {  // one row of rounding under the baseline
                ASSERT_EQ(image.pixelColor(x, y), QColor(Qt::white)) << x << " " << y;
            }
}

}  // namespace
}  // namespace unmask::ui
