// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/eliding_header.h"

#include <QStyleOptionHeader>

#include "ui/style/style.h"

namespace unmask::ui {
namespace {

constexpr double kPadding = 1.1;   // ems left and right together, as in the style sheet
constexpr double kSortMark = 1.2;  // ems of the arrow of a sorted column

}  // namespace

ElidingHeader::ElidingHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);  // as the header is that a table brings
}

QString ElidingHeader::shownText(int section) const {
    const QString whole = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    const Style& style = Style::instance();
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    const int room = sectionSize(section) - style.px(kPadding) - (sorted ? style.px(kSortMark) : 0);
    // In the middle: names of runs often differ at their end.
    return QFontMetrics(style.font(FontRole::caption)).elidedText(whole, Qt::ElideMiddle, room);
}

void ElidingHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const {
    QHeaderView::initStyleOptionForIndex(option, section);
    option->text = shownText(section);
}

}  // namespace unmask::ui
