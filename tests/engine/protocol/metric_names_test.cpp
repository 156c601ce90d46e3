// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/metric_names.h"

#include <gtest/gtest.h>

#include <set>

using namespace unmask;

TEST(MetricNames, AreUniqueAndTitledInBothLanguages) {
    std::set<std::string_view> names;
    for (const auto& info : allMetrics()) {
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_FALSE(info.title.en.empty() || info.title.zh.empty()) << info.name;
    }
}

TEST(MetricNames, DeviceNumbersShareOneEntry) {
    ASSERT_NE(findMetric("device/13/temperature"), nullptr);
    EXPECT_EQ(findMetric("device/13/temperature")->unit, "°C");
    EXPECT_NE(findMetric(metric::kTrainLoss), nullptr);
    EXPECT_NE(findMetric(metric::kLargestExpertShare), nullptr);
    EXPECT_EQ(findMetric("device/0/mood"), nullptr);
    EXPECT_EQ(findMetric("train/unknown"), nullptr);
}
