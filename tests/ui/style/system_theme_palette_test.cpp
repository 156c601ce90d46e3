// SPDX-License-Identifier: Apache-2.0
// Without a desktop portal (the tests have no bus) the palette of the start decides.
#include <gtest/gtest.h>

#include <QApplication>
#include <QPalette>

#include "ui/style/colors.h"
#include "ui/style/style_sheet.h"
#include "ui/style/system_theme.h"

namespace unmask::ui {
namespace {

TEST(SystemTheme, FollowsTheFirstPaletteWhereNoPortalAnswers) {
    const QPalette before = QApplication::palette();
    QApplication::setPalette(paletteFor(darkColors()));
    EXPECT_TRUE(SystemTheme().dark());
    QApplication::setPalette(paletteFor(lightColors()));
    EXPECT_FALSE(SystemTheme().dark());
    QApplication::setPalette(before);
}

}  // namespace
}  // namespace unmask::ui
