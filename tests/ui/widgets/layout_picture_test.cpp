// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/layout_picture.h"

#include <gtest/gtest.h>

#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include "ui/style/style.h"
#include "ui/widgets/layout_card.h"

namespace unmask::ui {
namespace {

constexpr double kGiB = 1073741824.0;

LayoutScene scene(qint64 copies, qint64 slices, qint64 stages, qint64 nodes, qint64 perNode) {
    LayoutScene made;
    made.copies = copies;
    made.slices = slices;
    made.stages = stages;
    made.nodes = nodes;
    made.perNode = perNode;
    made.layers = 12;
    for (int stage = 0; stage < stages; ++stage) {
        LayoutStage holding;
        for (int layer = 0; layer < 12 / static_cast<int>(stages); ++layer)
            holding.layers.append(stage * 12 / static_cast<int>(stages) + layer);
        holding.memory.weights = 6 * kGiB;
        holding.memory.activations = 12 * kGiB;
        holding.memory.capacity = 80 * kGiB;
        made.holdings.append(holding);
    }
    return made;
}

class LayoutPictureTest : public testing::Test {
 protected:
    void show(const LayoutScene& shown) {
        m_picture.setScene(shown);
        m_picture.resize(640, m_picture.heightForWidth(640));
        m_picture.show();
    }
    QImage cardOf(int device) {
        const QRect box = m_picture.boxOf(device).toRect();
        return m_picture.grab(box).toImage();
    }

    LayoutPicture m_picture;
};

TEST_F(LayoutPictureTest, DrawsOneCardADeviceInsideItselfAndNoneOnAnother) {
    show(scene(2, 2, 2, 2, 4));
    ASSERT_EQ(m_picture.shownDevices(), 8);
    EXPECT_TRUE(m_picture.showsCards());
    const QRectF all(m_picture.rect());
    for (int i = 0; i < 8; ++i) {
        EXPECT_TRUE(all.contains(m_picture.boxOf(i))) << i;
        for (int other = 0; other < i; ++other)
            EXPECT_FALSE(m_picture.boxOf(i).intersects(m_picture.boxOf(other))) << i << " and " << other;
    }
    EXPECT_GT(m_picture.boxOf(4).top(), m_picture.boxOf(3).bottom()) << "the second node stands below the first";
    show(scene(1, 1, 1, 1, 2));
    EXPECT_EQ(m_picture.shownDevices(), 2);
}

TEST_F(LayoutPictureTest, CopyStageAndSliceEachChangeTheCard) {
    show(scene(2, 2, 2, 1, 8));
    const QImage first = cardOf(0);
    EXPECT_NE(first, cardOf(1)) << "another slice";
    EXPECT_NE(first, cardOf(2)) << "another copy";
    EXPECT_NE(first, cardOf(4)) << "another stage";
}

// Never by colour alone: in grey the three still differ.
TEST_F(LayoutPictureTest, WithoutColourTheCardsStillDiffer) {
    show(scene(2, 2, 2, 1, 8));
    const auto grey = [this](int device) {
        return cardOf(device).convertToFormat(QImage::Format_Grayscale8).convertToFormat(QImage::Format_Mono);
    };
    EXPECT_NE(grey(0), grey(1));
    EXPECT_NE(grey(0), grey(2));
    EXPECT_NE(grey(0), grey(4));
}

TEST_F(LayoutPictureTest, ManyDevicesBecomeTilesAndVeryManyAreCounted) {
    show(scene(8, 8, 1, 8, 8));
    EXPECT_FALSE(m_picture.showsCards());
    EXPECT_EQ(m_picture.shownDevices(), 64);
    EXPECT_NE(cardOf(0), cardOf(1));
    show(scene(1024, 8, 12, 12288, 8));
    EXPECT_EQ(m_picture.shownDevices(), 512);
    EXPECT_LT(m_picture.heightForWidth(640), 6000);
    m_picture.grab();
}

TEST_F(LayoutPictureTest, RanksWithoutADeviceAreDrawnToo) {
    show(scene(4, 1, 1, 1, 2));
    EXPECT_EQ(m_picture.shownDevices(), 4);
    EXPECT_NE(cardOf(1), cardOf(2));
    m_picture.setCurrent(3);
    EXPECT_EQ(m_picture.currentWords().toStdString(), "Rank 3 has no device.");
}

TEST_F(LayoutPictureTest, KeysAndTheMouseGoFromDeviceToDevice) {
    show(scene(2, 2, 2, 2, 4));
    m_picture.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&m_picture));
    m_picture.setFocus();
    QSignalSpy changed(&m_picture, &LayoutPicture::currentChanged);
    QTest::keyClick(&m_picture, Qt::Key_Right);
    EXPECT_EQ(m_picture.current(), 1);
    EXPECT_TRUE(m_picture.accessibleDescription().startsWith(QStringLiteral("Rank 1 ")));
    QTest::keyClick(&m_picture, Qt::Key_End);
    EXPECT_EQ(m_picture.current(), 7);
    const QPointF before = m_picture.boxOf(7).center();
    QTest::keyClick(&m_picture, Qt::Key_Up);
    EXPECT_LT(m_picture.boxOf(static_cast<int>(m_picture.current())).center().y(), before.y());
    QTest::keyClick(&m_picture, Qt::Key_Home);
    QTest::keyClick(&m_picture, Qt::Key_Left);
    EXPECT_EQ(m_picture.current(), 0) << "there is none before the first";
    QTest::mouseClick(&m_picture, Qt::LeftButton, {}, m_picture.boxOf(5).center().toPoint());
    EXPECT_EQ(m_picture.current(), 5);
    EXPECT_GE(changed.size(), 4);
}

TEST_F(LayoutPictureTest, TheCurrentDeviceStaysOneThatIsThere) {
    show(scene(2, 2, 2, 2, 4));
    m_picture.setCurrent(7);
    show(scene(1, 1, 1, 1, 2));
    EXPECT_EQ(m_picture.current(), 1);
    EXPECT_TRUE(m_picture.currentWords().contains(QStringLiteral("idle")));
}

TEST_F(LayoutPictureTest, LargerTextTakesMoreRoomAndStaysInside) {
    show(scene(2, 2, 2, 2, 4));
    const int before = m_picture.heightForWidth(640);
    Style::instance().setFontScale(150);
    EXPECT_GT(m_picture.heightForWidth(640), before);
    show(scene(2, 2, 2, 2, 4));
    for (int i = 0; i < 8; ++i)
        EXPECT_TRUE(QRectF(m_picture.rect()).contains(m_picture.boxOf(i))) << i;
    Style::instance().setFontScale(100);
}

}  // namespace
}  // namespace unmask::ui
