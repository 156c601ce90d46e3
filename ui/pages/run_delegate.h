// SPDX-License-Identifier: Apache-2.0
// Paints the cells of the run table that are more than text: state, progress and the little curve.
#pragma once

#include <QStyledItemDelegate>

namespace unmask::ui {

class RunDelegate final : public QStyledItemDelegate {
    Q_OBJECT
 public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace unmask::ui
