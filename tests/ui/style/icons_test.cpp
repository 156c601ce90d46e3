// SPDX-License-Identifier: Apache-2.0
#include "ui/style/icons.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "ui/style/icon_strokes.h"

namespace unmask::ui {
namespace {

int inkedPixels(const QImage& image) {
    int inked = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            inked += qAlpha(image.pixel(x, y)) > 40;
    return inked;
}

TEST(Icons, EachDrawsSomethingInsideItsBox) {
    for (int i = 0; i <= static_cast<int>(Icon::spark); ++i) {
        QImage image(72, 72, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paintIcon(painter, static_cast<Icon>(i), QRectF(24, 24, 24, 24), Qt::black);
        painter.end();
        const int all = inkedPixels(image);
        EXPECT_GT(all, 15) << "icon " << i;
        EXPECT_EQ(inkedPixels(image.copy(23, 23, 26, 26)), all) << "icon " << i << " leaves its box";
    }
}

TEST(Icons, ShapesLieOnTheGrid) {
    for (int i = 0; i <= static_cast<int>(Icon::spark); ++i) {
        const IconShape& shape = shapeOf(static_cast<Icon>(i));
        EXPECT_FALSE(shape.strokes.isEmpty() && shape.filled.isEmpty()) << i;
        for (const QPainterPath& path : {shape.strokes, shape.filled}) {
            const QRectF box = path.boundingRect();  // of a straight line it is empty, so its corners are asked
            EXPECT_TRUE(path.isEmpty() || (QRectF(1, 1, 22, 22).contains(box.topLeft()) &&
                                           QRectF(1, 1, 22, 22).contains(box.bottomRight())))
                << i;
        }
    }
}

TEST(Icons, AreDrawnAtTheSizeAskedFor) {
    EXPECT_EQ(icon(Icon::live).pixmap(QSize(37, 37)).width(), 37);
    const QImage normal = icon(Icon::live, Qt::black).pixmap(QSize(32, 32)).toImage();
    const QImage disabled = icon(Icon::live, Qt::black).pixmap(QSize(32, 32), QIcon::Disabled).toImage();
    EXPECT_NE(normal, disabled);
}

}  // namespace
}  // namespace unmask::ui
