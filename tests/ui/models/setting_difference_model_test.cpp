// SPDX-License-Identifier: Apache-2.0
#include "ui/models/setting_difference_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

SettingDifferenceModel::Run makeRun(const char* name, double rate, int64_t steps) {
    SettingDifferenceModel::Run run{QString::fromLatin1(name), {}};
    run.spec.optimizer.learningRate = rate;
    run.spec.training.steps = steps;
    return run;
}

TEST(SettingDifferenceModel, OnlyWhatDiffersAmongAllRuns) {
    SettingDifferenceModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRuns({makeRun("a", 3e-4, 500), makeRun("b", 3e-4, 500), makeRun("c", 1e-4, 500)});
    ASSERT_EQ(model.rowCount(), 1);
    ASSERT_EQ(model.columnCount(), 4);
    EXPECT_EQ(model.index(0, 0).data(SettingDifferenceModel::PathRole).toString(),
              QStringLiteral("optimizer.learning_rate"));
    EXPECT_FALSE(model.index(0, 2).data(SettingDifferenceModel::DiffersRole).toBool());
    EXPECT_TRUE(model.index(0, 3).data(SettingDifferenceModel::DiffersRole).toBool());
    EXPECT_EQ(model.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("c"));
    model.setOnlyDifferences(false);
    EXPECT_EQ(model.rowCount(), static_cast<int>(allSettings().size()));
}

TEST(SettingDifferenceModel, LabelsInBothLanguagesAndNoRunsAtAll) {
    SettingDifferenceModel model;
    model.setRuns({});
    EXPECT_EQ(model.rowCount(), 0);
    model.setRuns({makeRun("a", 3e-4, 500), makeRun("b", 3e-4, 501)});
    const Setting* steps = findSetting("training.steps").value();
    EXPECT_EQ(model.index(0, 0).data().toString(), fromUtf8(steps->info.label.en));
    model.setChinese(true);
    EXPECT_EQ(model.index(0, 0).data().toString(), fromUtf8(steps->info.label.zh));
}

}  // namespace
}  // namespace unmask::ui
