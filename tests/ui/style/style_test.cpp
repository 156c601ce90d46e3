// SPDX-License-Identifier: Apache-2.0
#include "ui/style/style.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFontInfo>
#include <QPalette>
#include <QPushButton>
#include <QRegularExpression>

#include "ui/style/style_sheet.h"

namespace unmask::ui {
namespace {

class StyleTest : public testing::Test {
 protected:
    void TearDown() override {
        Style::instance().setTheme(ThemeChoice::light);
        Style::instance().setFontScale(100);
    }
};

TEST_F(StyleTest, ThemeSwitchesPaletteAndSheetWhileRunning) {
    int changes = 0;
    const auto connection = QObject::connect(&Style::instance(), &Style::changed, [&] { ++changes; });
    Style::instance().setTheme(ThemeChoice::dark);
    EXPECT_TRUE(Style::instance().dark());
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), darkColors().window);
    EXPECT_TRUE(qApp->styleSheet().contains(darkColors().surface.name()));
    EXPECT_FALSE(qApp->styleSheet().contains(lightColors().surface.name()));
    Style::instance().setTheme(ThemeChoice::dark);
    EXPECT_EQ(changes, 1) << "the same choice again is no change";
    QObject::disconnect(connection);
}

TEST_F(StyleTest, EverySizeFollowsTheFontScale) {
    const int em = Style::instance().px(1);
    const int body = Style::instance().font(FontRole::body).pixelSize();
    const QPushButton button;
    const int picture = button.iconSize().width();
    Style::instance().setFontScale(200);
    EXPECT_NEAR(Style::instance().px(1), 2 * em, 1);
    EXPECT_NEAR(Style::instance().font(FontRole::body).pixelSize(), 2 * body, 1);
    EXPECT_EQ(QApplication::font().pixelSize(), Style::instance().font(FontRole::body).pixelSize());
    EXPECT_NEAR(button.iconSize().width(), 2 * picture, 1);
    Style::instance().setFontScale(1000);
    EXPECT_EQ(Style::instance().fontScale(), kLargestFontScale);
    Style::instance().setFontScale(1);
    EXPECT_EQ(Style::instance().fontScale(), kSmallestFontScale);
}

TEST_F(StyleTest, SheetLeavesNoPlaceholder) {
    for (const Colors* colors : {&lightColors(), &darkColors()})
        for (const double em : {10.4, 13.0, 26.0}) {
            const QString sheet = styleSheetFor(*colors, em);
            EXPECT_FALSE(sheet.contains(QLatin1Char('$')));
            EXPECT_FALSE(sheet.contains(QLatin1String("em]")));
            EXPECT_FALSE(sheet.contains(QLatin1String(": ;"))) << "a colour name that the table does not know";
            EXPECT_EQ(sheet.count(QLatin1Char('{')), sheet.count(QLatin1Char('}')));
        }
}

// A corner that is rounder than half of its box is not drawn at all.
TEST_F(StyleTest, SlidersHaveARoundHandleAtEverySize) {
    const QRegularExpression handle(QStringLiteral(
        "QSlider::handle:horizontal \\{[^}]*border: (\\d+)px[^}]* width: (\\d+)px[^}]*border-radius: (\\d+)px"));
    for (int scale = kSmallestFontScale; scale <= kLargestFontScale; scale += 5) {
        for (const double base : {13.0, 15.0, 22.0}) {
            const auto match = handle.match(styleSheetFor(lightColors(), base * scale / 100));
            ASSERT_TRUE(match.hasMatch());
            const int side = match.captured(2).toInt() + 2 * match.captured(1).toInt();
            EXPECT_LE(2 * match.captured(3).toInt(), side) << scale << " % of " << base;
            EXPECT_GE(2 * match.captured(3).toInt(), 0.8 * side) << scale << " % of " << base;
        }
    }
}

TEST_F(StyleTest, PicturesOfTheSheetAreBuiltIn) {
    for (const char* name : {"chevron-light", "chevron-dark", "chevron-up-light", "chevron-up-dark", "tick-light", "tick-dark"})
        EXPECT_FALSE(QPixmap(QStringLiteral(":/unmask/style/%1.png").arg(QLatin1String(name))).isNull()) << name;
}

TEST_F(StyleTest, ARoleChangesTheLookOfAShownButton) {
    QPushButton button(QStringLiteral("Start"));
    button.show();
    const QImage plain = button.grab().toImage();
    setRole(&button, "primary");
    EXPECT_NE(button.grab().toImage(), plain);
}

TEST_F(StyleTest, ChineseTextUsesTheSimplifiedFace) {
    const QStringList families = Style::instance().font(FontRole::body).families();
    EXPECT_TRUE(families.contains(QStringLiteral("Noto Sans CJK SC")));
}

}  // namespace
}  // namespace unmask::ui
