// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_delegate.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <limits>

#include "ui/models/run_table_model.h"
#include "ui/style/style.h"
#include "ui/widgets/state_badge.h"

using namespace unmask;
using namespace unmask::ui;

namespace {

using Column = RunTableModel::Column;

constexpr int kWidth = 200;
constexpr int kHeight = 32;

QImage paintCell(const RunRow& row, Column column) {
    RunTableModel model;
    model.setRows({row});
    QImage image(kWidth, kHeight, QImage::Format_ARGB32_Premultiplied);
    image.fill(Style::instance().colors().surface);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = image.rect();
    option.state = QStyle::State_Enabled;
    option.palette.setColor(QPalette::Base, Style::instance().colors().surface);
    RunDelegate delegate;
    delegate.paint(&painter, option, model.indexOf(row.key, column));
    return image;
}

RunRow makeRow() {
    RunRow row;
    row.key = row.id = row.name = QStringLiteral("poems");
    row.status.word = RunWord::running;
    row.status.step = 0;
    row.status.totalSteps = 1000;
    return row;
}

// Columns of pixels in which this colour stands, from the left.
QVector<int> columnsOf(const QImage& image, const QColor& color) {
    QVector<int> columns;
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            if (image.pixelColor(x, y).rgb() == color.rgb()) {
                columns.append(x);
                break;
            }
    return columns;
}

QColor accent() {
    return Style::instance().colors().accent;
}

TEST(RunDelegate, EachStateHasItsColourAndNoTwoStatesLookTheSame) {
    std::vector<QImage> seen;
    for (const RunWord word : {RunWord::running, RunWord::paused, RunWord::stalled, RunWord::interrupted,
                               RunWord::failed, RunWord::stopped, RunWord::finished, RunWord::lost}) {
        RunRow row = makeRow();
        row.status.word = word;
        const QImage image = paintCell(row, Column::state);
        const StateLook look = lookOfState(QString::fromStdString(std::string(runWordName(word))));
        EXPECT_FALSE(columnsOf(image, toneColor(look.tone)).isEmpty()) << runWordName(word);
        for (const QImage& other : seen)
            EXPECT_NE(image, other) << runWordName(word);
        seen.push_back(image);
    }
}

TEST(RunDelegate, TheBarIsAsLongAsTheShareThatIsDone) {
    const auto lengthAt = [](int64_t step) {
        RunRow row = makeRow();
        row.status.step = step;
        const QVector<int> columns = columnsOf(paintCell(row, Column::progress), accent());
        return columns.isEmpty() ? 0 : columns.last() - columns.first() + 1;
    };
    const int whole = lengthAt(1000);
    EXPECT_GT(whole, kWidth / 2);
    EXPECT_NEAR(lengthAt(500), whole / 2, 4);
    EXPECT_LE(lengthAt(1), 4);
    EXPECT_EQ(lengthAt(1500), whole);  // extended and not yet told: never beyond the cell
}

TEST(RunDelegate, WithoutAPlanThereIsNoBar) {
    RunRow row = makeRow();
    row.status.step = 500;
    row.status.totalSteps = 0;
    const QImage image = paintCell(row, Column::progress);
    const QColor groove = Style::instance().colors().border;
    EXPECT_FALSE(columnsOf(paintCell(makeRow(), Column::progress), groove).isEmpty());
    EXPECT_TRUE(columnsOf(image, groove).isEmpty());
    EXPECT_TRUE(columnsOf(image, accent()).isEmpty());
    EXPECT_FALSE(columnsOf(image, Style::instance().colors().text).isEmpty());  // the figure stands there still
}

TEST(RunDelegate, TheCurveNeedsTwoPointsAndLeavesGapsWhereAFigureIsMissing) {
    RunRow row = makeRow();
    EXPECT_TRUE(columnsOf(paintCell(row, Column::sparkline), accent()).isEmpty());
    row.sparkline = {3};
    EXPECT_TRUE(columnsOf(paintCell(row, Column::sparkline), accent()).isEmpty());
    const float nan = std::numeric_limits<float>::quiet_NaN();
    row.sparkline = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    const auto whole = columnsOf(paintCell(row, Column::sparkline), accent());
    row.sparkline = {2, 2, 2, nan, nan, nan, nan, 2, 2, 2};
    const auto gapped = columnsOf(paintCell(row, Column::sparkline), accent());
    EXPECT_FALSE(whole.isEmpty());
    EXPECT_FALSE(gapped.isEmpty());
    EXPECT_LT(gapped.size(), whole.size());
}

TEST(RunDelegate, OtherCellsShowTheirText) {
    RunRow row = makeRow();
    const QImage name = paintCell(row, Column::name);
    row.name = QStringLiteral("other poems");
    EXPECT_NE(name, paintCell(row, Column::name));
}

}  // namespace
