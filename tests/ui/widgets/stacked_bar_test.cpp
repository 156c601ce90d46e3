// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/stacked_bar.h"

#include <gtest/gtest.h>

#include <QImage>

namespace unmask::ui {
namespace {

StackSegment part(const char* name, double size, const QColor& color) {
    return {QString::fromLatin1(name), {}, QStringLiteral("%1 s").arg(size), size, color};
}

TEST(StackedBar, PartsTakeTheirShareOfTheWidth) {
    StackedBar bar;
    bar.setSegments(QStringLiteral("Time"), {part("computing", 3, Qt::red), part("waiting", 1, Qt::blue)});
    bar.resize(400, bar.heightForWidth(400));
    const QImage image = bar.grab().toImage();
    const int middle = static_cast<int>(6 * bar.devicePixelRatioF());
    int red = 0;
    int blue = 0;
    for (int x = 0; x < image.width(); ++x) {
        red += image.pixelColor(x, middle) == QColor(Qt::red);
        blue += image.pixelColor(x, middle) == QColor(Qt::blue);
    }
    EXPECT_NEAR(static_cast<double>(red) / (red + blue), 0.75, 0.02);
}

TEST(StackedBar, SaysItsPartsAndLeavesEmptyOnesOut) {
    StackedBar bar;
    bar.setSegments(QStringLiteral("Time"), {part("computing", 3, Qt::red), part("bubble", 0, Qt::blue)});
    EXPECT_EQ(bar.accessibleName().toStdString(), "Time: computing 3 s");
    EXPECT_EQ(bar.segments().size(), 1);
    EXPECT_GE(bar.heightForWidth(60), bar.heightForWidth(600));
}

}  // namespace
}  // namespace unmask::ui
