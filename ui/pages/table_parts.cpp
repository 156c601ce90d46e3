// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/table_parts.h"

#include <QHeaderView>
#include <QTableView>

#include "ui/style/style.h"
#include "ui/widgets/eliding_header.h"

namespace unmask::ui {

void prepareTable(QTableView* table) {
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setTabKeyNavigation(false);  // Tab leaves the table
    table->verticalHeader()->hide();
    table->setHorizontalHeader(new ElidingHeader(table));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const auto fit = [table] {
        const int height = Style::instance().px(2.4);
        table->verticalHeader()->setMinimumSectionSize(height);
        table->verticalHeader()->setDefaultSectionSize(height);
    };
    fit();
    QObject::connect(&Style::instance(), &Style::changed, table, fit);
}

}  // namespace unmask::ui
