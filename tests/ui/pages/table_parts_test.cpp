// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/table_parts.h"

#include <gtest/gtest.h>

#include <QHeaderView>
#include <QStandardItemModel>
#include <QTableView>

using namespace unmask::ui;

namespace {

TEST(TableParts, WholeRowsAreChosenAndNothingIsEdited) {
    QStandardItemModel model(3, 4);
    QTableView table;
    table.setModel(&model);
    prepareTable(&table);
    table.selectionModel()->clear();
    table.selectRow(1);
    EXPECT_EQ(table.selectionModel()->selectedRows().size(), 1);
    EXPECT_EQ(table.selectionBehavior(), QAbstractItemView::SelectRows);
    EXPECT_EQ(table.editTriggers(), QAbstractItemView::NoEditTriggers);
    EXPECT_FALSE(table.tabKeyNavigation());  // Tab leaves the table
    EXPECT_GE(table.rowHeight(0), table.fontMetrics().height());
}

}  // namespace
