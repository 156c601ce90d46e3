// SPDX-License-Identifier: Apache-2.0
#include "ui/style/style.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFontInfo>
#include <QPalette>
#include <QPushButton>

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
    Style::instance().setFontScale(200);
    EXPECT_NEAR(Style::instance().px(1), 2 * em, 1);
    EXPECT_NEAR(Style::instance().font(FontRole::body).pixelSize(), 2 * body, 1);
    EXPECT_EQ(QApplication::font().pixelSize(), Style::instance().font(FontRole::body).pixelSize());
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

TEST_F(StyleTest, PicturesOfTheSheetAreBuiltIn) {
    for (const char* name : {"chevron-light", "chevron-dark", "tick-light", "tick-dark"})
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
