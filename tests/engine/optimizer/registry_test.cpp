// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/optimizer/learning_rate.h"
#include "engine/optimizer/optimizer.h"

namespace unmask {
namespace {

TEST(Registry, NamesAreThoseOfTheSpec) {
    ASSERT_EQ(allOptimizers().size(), Choices<OptimizerKind>::list.size());
    EXPECT_EQ(allOptimizers()[0].name, "adamw");
    ASSERT_EQ(allSchedules().size(), Choices<RateSchedule>::list.size());
    for (const ScheduleEntry& entry : allSchedules())
        EXPECT_EQ(entry.name, wordOf(entry.kind));
}

}  // namespace
}  // namespace unmask
