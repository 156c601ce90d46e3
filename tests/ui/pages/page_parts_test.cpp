// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/page_parts.h"

#include <gtest/gtest.h>

using namespace unmask::ui;

namespace {

TEST(PageParts, LabelsShowNamesOfRunsAsTheyAreWritten) {
    QWidget page;
    EXPECT_EQ(makeLabel(&page)->textFormat(), Qt::PlainText);
    EXPECT_EQ(makeWrappingLabel(&page)->textFormat(), Qt::PlainText);
    EXPECT_TRUE(makeWrappingLabel(&page)->wordWrap());
}

TEST(PageParts, ButtonsCarryTheirIconAndRole) {
    QWidget page;
    EXPECT_TRUE(makeButton(&page)->icon().isNull());
    const QPushButton* primary = makeButton(&page, Icon::play, "primary");
    EXPECT_FALSE(primary->icon().isNull());
    EXPECT_EQ(primary->property("role").toString(), QStringLiteral("primary"));
    EXPECT_FALSE(makeToolButton(&page, Icon::stop)->icon().isNull());
}

TEST(PageParts, AScrollFollowsTheWidthOfItsContent) {
    auto* content = new QWidget;
    const std::unique_ptr<QScrollArea> scroll(makeScroll(content));
    EXPECT_EQ(scroll->widget(), content);
    EXPECT_TRUE(scroll->widgetResizable());
    EXPECT_EQ(scroll->horizontalScrollBarPolicy(), Qt::ScrollBarAlwaysOff);
}

}  // namespace
