// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_delegate.h"

#include <QApplication>
#include <QPainter>

#include "engine/journal/run_state.h"
#include "ui/models/run_table_model.h"
#include "ui/style/style.h"
#include "ui/widgets/sparkline.h"
#include "ui/widgets/state_badge.h"

namespace unmask::ui {

namespace {

using Column = RunTableModel::Column;

void paintState(QPainter* painter, const QRect& box, const QModelIndex& index) {
    const auto word = static_cast<RunWord>(index.data(RunTableModel::WordRole).toInt());
    const QString name = QString::fromUtf8(runWordName(word));
    const StateLook look = lookOfState(name);
    const int size = Style::instance().px(0.9);
    // Half-way up the letters beside it, which stand a little below the middle of the line.
    const QRectF mark(box.left(), QRectF(box).center().y() + Style::instance().px(0.1) - size / 2.0, size, size);
    paintStateMark(*painter, mark, name, toneColor(look.tone));
    painter->setPen(toneColor(look.tone));
    painter->drawText(box.adjusted(size + Style::instance().px(0.5), 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                      index.data(Qt::DisplayRole).toString());
}

void paintProgress(QPainter* painter, const QRect& box, const QModelIndex& index) {
    const Colors& colors = Style::instance().colors();
    painter->setPen(colors.text);
    const QVariant share = index.data(RunTableModel::ProgressRole);
    const int line = share.isValid() ? Style::instance().px(0.25) : 0;
    painter->drawText(box.adjusted(0, 0, 0, -2 * line), Qt::AlignVCenter | Qt::AlignLeft,
                      index.data(Qt::DisplayRole).toString());
    if (!share.isValid())
        return;
    QRectF bar(box.left(), box.bottom() - 2 * line, box.width(), line);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colors.border);
    painter->drawRoundedRect(bar, line / 2.0, line / 2.0);
    bar.setWidth(bar.width() * std::clamp(share.toDouble(), 0.0, 1.0));
    painter->setBrush(colors.accent);
    painter->drawRoundedRect(bar, line / 2.0, line / 2.0);
}

void paintCurve(QPainter* painter, const QRect& box, const QModelIndex& index) {
    const auto values = index.data(RunTableModel::SparklineRole).value<std::vector<float>>();
    if (values.size() < 2)
        return;
    const int edge = Style::instance().px(0.3);
    paintSparkline(*painter, QRectF(box).adjusted(0, edge, 0, -edge), QVector<double>(values.begin(), values.end()),
                   Style::instance().colors().accent);
}

}  // namespace

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto column = static_cast<Column>(index.column());
    if (column != Column::state && column != Column::progress && column != Column::sparkline) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem empty(option);  // selection, hover and the line below come from the style
    initStyleOption(&empty, index);
    empty.text.clear();
    empty.icon = {};
    const QWidget* widget = option.widget;
    (widget ? widget->style() : QApplication::style())->drawControl(QStyle::CE_ItemViewItem, &empty, painter, widget);

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(option.font);
    const QRect box = option.rect.adjusted(Style::instance().px(0.5), 0, -Style::instance().px(0.5), -1);
    if (column == Column::state)
        paintState(painter, box, index);
    else if (column == Column::progress)
        paintProgress(painter, box, index);
    else
        paintCurve(painter, box, index);
    painter->restore();
}

}  // namespace unmask::ui
