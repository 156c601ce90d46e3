// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_result_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <limits>

#include "engine/protocol/metric_names.h"
#include "ui/pages/table_export.h"

using namespace unmask;
using namespace unmask::ui;

namespace {

RunRow runWith(const char* name, double best) {
    RunRow row;
    row.key = row.id = row.name = QString::fromUtf8(name);
    row.best[std::string(metric::kValidationLoss)] = best;
    return row;
}

TEST(CompareResultModel, SaysWhichIsBetterByWord) {
    EXPECT_TRUE(CompareResultModel::change(2.2, 2.0, true).contains(QStringLiteral("worse")));
    EXPECT_TRUE(CompareResultModel::change(2.2, 2.0, true).contains(QLatin1Char('+')));
    EXPECT_TRUE(CompareResultModel::change(1.8, 2.0, true).contains(QStringLiteral("better")));
    EXPECT_TRUE(CompareResultModel::change(2.2, 2.0, false).contains(QStringLiteral("better")));
    EXPECT_EQ(CompareResultModel::change(2.00001, 2.0, true), QStringLiteral("same"));
    EXPECT_TRUE(CompareResultModel::change(std::numeric_limits<double>::quiet_NaN(), 2.0, true).isEmpty());
    EXPECT_TRUE(CompareResultModel::change(1, 0, true).isEmpty());
}

TEST(CompareResultModel, BaselineHasNoDifference) {
    CompareResultModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRuns({runWith("a", 2.0), runWith("b", 2.2)}, 0);
    EXPECT_FALSE(model.index(0, 1).data().toString().contains(QLatin1Char('%')));
    EXPECT_TRUE(model.index(0, 2).data().toString().contains(QLatin1Char('%')));
    model.setRuns({runWith("a", 2.0), runWith("b", 2.2)}, 1);
    EXPECT_TRUE(model.index(0, 1).data().toString().contains(QStringLiteral("better")));
    EXPECT_FALSE(model.index(0, 2).data().toString().contains(QLatin1Char('%')));
}

TEST(TableExport, QuotesWhatCsvNeeds) {
    CompareResultModel model;
    model.setRuns({runWith("a, \"b\"", 2.0)}, 0);
    EXPECT_TRUE(tableAsCsv(model).startsWith(QStringLiteral("Result,\"★ a, \"\"b\"\"\"\r\n")))
        << tableAsCsv(model).toStdString();
}

}  // namespace
