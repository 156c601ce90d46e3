// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_table_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <cmath>

#include "ui/models/run_filter_proxy.h"
#include "ui/settings/number_text.h"

namespace unmask::ui {
namespace {

using Column = RunTableModel::Column;

RunRow makeRow(int number, RunWord word = RunWord::finished) {
    RunRow row;
    row.key = row.id = QStringLiteral("run-%1").arg(number);
    row.name = QStringLiteral("Lauf %1").arg(number);
    row.status.word = word;
    row.status.step = number;
    row.status.totalSteps = 100;
    row.createdMs = 1'700'000'000'000 + number;
    row.sparkline = {3, 2, 1};
    if (number % 2 == 0)
        row.last["train/loss"] = 10 - number;
    return row;
}

QString text(const QAbstractItemModel& model, int row, Column column) {
    return model.index(row, static_cast<int>(column)).data().toString();
}

TEST(RunTableModel, GrowsChangesAndShrinksByTheRules) {
    RunTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    RunFilterProxy proxy(&model);
    const QAbstractItemModelTester proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows({makeRow(1), makeRow(2)});
    model.updateRows({makeRow(2, RunWord::failed), makeRow(3), makeRow(4)});
    EXPECT_EQ(model.rowCount(), 4);
    EXPECT_EQ(text(model, 1, Column::state), QStringLiteral("failed"));
    model.removeKeys({QStringLiteral("run-1"), QStringLiteral("unknown")});
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.indexOf(QStringLiteral("run-4")).row(), 2);
    EXPECT_EQ(model.find(QStringLiteral("run-1")), nullptr);
    EXPECT_EQ(model.find(QStringLiteral("run-3"))->status.step, 3);
}

TEST(RunTableModel, UnknownFiguresAreADash) {
    RunTableModel model;
    model.setRows({makeRow(1)});
    EXPECT_EQ(text(model, 0, Column::loss), NumberText::unknown());
    EXPECT_EQ(text(model, 0, Column::parameters), NumberText::unknown());
    EXPECT_EQ(text(model, 0, Column::rate), NumberText::unknown());
}

TEST(RunTableModel, RolesForDelegates) {
    RunTableModel model;
    model.setRows({makeRow(50, RunWord::running)});
    const QModelIndex index = model.index(0, static_cast<int>(Column::sparkline));
    EXPECT_EQ(index.data(RunTableModel::SparklineRole).value<std::vector<float>>(), (std::vector<float>{3, 2, 1}));
    EXPECT_EQ(index.data(RunTableModel::ProgressRole).toDouble(), 0.5);
    EXPECT_EQ(index.data(RunTableModel::WordRole).toInt(), static_cast<int>(RunWord::running));
    EXPECT_EQ(index.data(RunTableModel::KeyRole).toString(), QStringLiteral("run-50"));
    EXPECT_FALSE(index.data(Qt::AccessibleTextRole).toString().isEmpty());
    for (int column = 0; column < model.columnCount(); ++column)
        EXPECT_FALSE(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty()) << column;
}

TEST(RunFilterProxy, SortsNumbersAsNumbersAndTheUnknownLast) {
    RunTableModel model;
    model.setRows({makeRow(1), makeRow(2), makeRow(4), makeRow(8)});  // losses: none, 8, 6, 2
    RunFilterProxy proxy(&model);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        proxy.sort(static_cast<int>(Column::loss), order);
        EXPECT_EQ(proxy.row(proxy.index(3, 0)).key, QStringLiteral("run-1"));
        EXPECT_EQ(proxy.row(proxy.index(0, 0)).key,
                  order == Qt::AscendingOrder ? QStringLiteral("run-8") : QStringLiteral("run-2"));
    }
}

TEST(RunFilterProxy, FollowsChangesOfTheSource) {
    RunTableModel model;
    model.setRows({makeRow(1), makeRow(2)});
    RunFilterProxy proxy(&model);
    proxy.setFilterText(QStringLiteral("state:failed"));
    EXPECT_EQ(proxy.rowCount(), 0);
    model.updateRows({makeRow(2, RunWord::failed)});
    EXPECT_EQ(proxy.rowCount(), 1);
    proxy.setFilterText({});
    EXPECT_EQ(proxy.rowCount(), 2);
}

TEST(RunFilterProxy, TenThousandRunsFilterAndSortAtOnce) {
    std::vector<RunRow> rows;
    for (int i = 0; i < 10000; ++i)
        rows.push_back(makeRow(i, i % 10 == 0 ? RunWord::failed : RunWord::finished));
    RunTableModel model;
    RunFilterProxy proxy(&model);
    QElapsedTimer clock;
    clock.start();
    model.setRows(std::move(rows));
    const auto filled = clock.restart();
    proxy.setFilterText(QStringLiteral("state:failed loss<5"));
    const auto filtered = clock.restart();
    proxy.sort(static_cast<int>(Column::loss));
    const auto sorted = clock.restart();
    EXPECT_EQ(proxy.rowCount(), 999);
    std::printf("10,000 rows: set %lld ms, filtered %lld ms, sorted %lld ms\n", static_cast<long long>(filled),
                static_cast<long long>(filtered), static_cast<long long>(sorted));
    EXPECT_LT(filled + filtered + sorted, 1500);
}

}  // namespace
}  // namespace unmask::ui
