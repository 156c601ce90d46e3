// SPDX-License-Identifier: Apache-2.0
#include "ui/models/event_list_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "tests/ui/models/session_fixture.h"

namespace unmask::ui {
namespace {

class EventListModelTest : public test::SessionFixture {};

TEST_F(EventListModelTest, FollowsASession) {
    test::JournalText text;
    text.started().losses(1, 5).checkpoint(5);
    EventListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    openWith(text);
    model.follow(m_session.get());
    ASSERT_TRUE(test::waitFor([&] { return model.rowCount() == 2; }));
    sayNew([](test::JournalText& journal) { journal.losses(6, 9).add(9, WarningEvent{"slow"}).checkpoint(9); });
    ASSERT_TRUE(test::waitFor([&] { return model.rowCount() == 4; }));
    const QModelIndex warning = model.index(2, static_cast<int>(EventListModel::Column::text));
    EXPECT_EQ(warning.data().toString(), QStringLiteral("slow"));
    EXPECT_EQ(warning.data(EventListModel::StepRole).toInt(), 9);
    EXPECT_EQ(warning.data(EventListModel::KindRole).toString(), QStringLiteral("warning"));
    EXPECT_FALSE(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
    model.follow(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace unmask::ui
