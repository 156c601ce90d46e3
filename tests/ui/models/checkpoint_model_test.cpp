// SPDX-License-Identifier: Apache-2.0
#include "ui/models/checkpoint_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <cmath>

#include "tests/ui/models/session_fixture.h"

namespace unmask::ui {
namespace {

class CheckpointModelTest : public test::SessionFixture {};

TEST_F(CheckpointModelTest, SavedRemovedAndSuperseded) {
    test::JournalText text;
    text.started().losses(1, 10).checkpoint(10).losses(11, 20).checkpoint(20).checkpoint(10, "removed");
    openWith(text);
    CheckpointModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.follow(m_session.get());
    ASSERT_TRUE(test::waitFor([&] { return model.rowCount() == 1; }));
    EXPECT_EQ(model.checkpoint(0).step, 20);
    EXPECT_EQ(model.checkpoint(0).loss, 1000.0 / 21);
    EXPECT_TRUE(std::isnan(model.checkpoint(0).validationLoss));
    EXPECT_TRUE(model.checkpoint(0).usable());
    sayNew([](test::JournalText& journal) { journal.checkpoint(20, "superseded").losses(21, 30).checkpoint(30); });
    ASSERT_TRUE(test::waitFor([&] { return model.rowCount() == 2; }));
    EXPECT_FALSE(model.checkpoint(0).usable());
    EXPECT_EQ(model.index(1, 0).data(CheckpointModel::FolderRole).toString(), QStringLiteral("step-30"));
    EXPECT_EQ(model.index(1, static_cast<int>(CheckpointModel::Column::size)).data().toString(),
              QStringLiteral("4.0 KiB"));
}

}  // namespace
}  // namespace unmask::ui
