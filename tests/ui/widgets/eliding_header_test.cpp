// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/eliding_header.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QStandardItemModel>
#include <QTableView>

#include "ui/style/style.h"

namespace unmask::ui {
namespace {

class ElidingHeaderTest : public testing::Test {
 protected:
    ElidingHeaderTest() {
        m_model.setHorizontalHeaderLabels({QStringLiteral("Loss"), QStringLiteral("poems-of-one-hundred-authors-a"),
                                           QStringLiteral("poems-of-one-hundred-authors-b")});
        m_table.setHorizontalHeader(m_header);
        m_table.setModel(&m_model);
        m_table.resize(900, 300);
    }

    QStandardItemModel m_model{2, 3};
    QTableView m_table;
    ElidingHeader* m_header = new ElidingHeader(&m_table);
};

TEST_F(ElidingHeaderTest, LongNamesAreShortenedInTheMiddleAndKeepTheirEnds) {
    for (int section = 0; section < 3; ++section)
        m_header->resizeSection(section, Style::instance().px(9));
    EXPECT_EQ(m_header->shownText(0), QStringLiteral("Loss"));
    EXPECT_TRUE(m_header->shownText(1).contains(QChar(0x2026))) << m_header->shownText(1).toStdString();
    EXPECT_TRUE(m_header->shownText(1).endsWith(QLatin1Char('a')));
    EXPECT_TRUE(m_header->shownText(2).endsWith(QLatin1Char('b')));
    m_header->resizeSection(1, Style::instance().px(40));
    EXPECT_EQ(m_header->shownText(1), QStringLiteral("poems-of-one-hundred-authors-a"));
}

// The end of a shortened name is drawn, not cut off: the last pixels of the column hold only background.
TEST_F(ElidingHeaderTest, NothingIsDrawnUpToTheEdgeOfTheColumn) {
    m_table.show();
    for (const double ems : {5.0, 6.3, 8.0, 9.7, 12.0}) {
        m_header->resizeSection(1, Style::instance().px(ems));
        const QImage image = m_header->grab().toImage();
        const int right = m_header->sectionPosition(1) + m_header->sectionSize(1) - 2;
        const QColor ground = image.pixelColor(right, 2);
        for (int x = right - 2; x <= right; ++x)
            for (int y = 2; y < m_header->height() - 3; ++y)
                ASSERT_EQ(image.pixelColor(x, y), ground) << ems << " ems, at " << x << " " << y;
    }
}

}  // namespace
}  // namespace unmask::ui
