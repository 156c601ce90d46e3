// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/rail_button.h"

#include <gtest/gtest.h>

namespace unmask::ui {
namespace {

TEST(RailButton, MarksHaveRoomWordsAndPictures) {
    RailButton button(Icon::data, nullptr);
    button.setText(QStringLiteral("Data"));
    const int plain = button.sizeHint().width();
    button.resize(200, 40);
    const QImage before = button.grab().toImage();
    button.setMark(RailMark::warning, 12);
    EXPECT_GT(button.sizeHint().width(), plain) << "the mark never covers the word";
    EXPECT_EQ(button.accessibleName().toStdString(), "Data, 12 warning(s)");
    EXPECT_NE(button.grab().toImage(), before);
    button.setMark(RailMark::ok, 0);
    EXPECT_EQ(button.accessibleName().toStdString(), "Data, complete");
    button.setShortcutText(QStringLiteral("Ctrl+5"));
    EXPECT_EQ(button.toolTip().toStdString(), "Data (Ctrl+5)");
    button.setCompact(true);
    EXPECT_EQ(button.sizeHint().width(), button.sizeHint().height());
}

}  // namespace
}  // namespace unmask::ui
