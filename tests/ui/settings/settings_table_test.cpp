// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/settings_table.h"

#include <gtest/gtest.h>

#include <set>

namespace unmask::ui {
namespace {

TEST(SettingsTable, EachWordHasOneRowAndAnAcceptableDefault) {
    std::set<QString> keys;
    std::set<StudioSetting> settings;
    for (const SettingRow& row : settingsTable()) {
        EXPECT_TRUE(keys.insert(row.key).second) << row.key.toStdString();
        EXPECT_TRUE(settings.insert(row.setting).second);
        EXPECT_EQ(acceptedValue(row, row.fallback), row.fallback) << row.key.toStdString();
    }
    for (int i = 0; i <= static_cast<int>(StudioSetting::comparedRuns); ++i)
        EXPECT_TRUE(settings.count(static_cast<StudioSetting>(i))) << i;
}

TEST(SettingsTable, ValuesAreConvertedOrReplacedByTheDefault) {
    const SettingRow& scale = settingRow(StudioSetting::fontScale);
    EXPECT_EQ(acceptedValue(scale, QStringLiteral("120")), QVariant(120));  // files hold text
    EXPECT_EQ(acceptedValue(scale, 79), scale.fallback);
    EXPECT_EQ(acceptedValue(scale, QVariant()), scale.fallback);
    const SettingRow& smoothing = settingRow(StudioSetting::smoothing);
    EXPECT_EQ(acceptedValue(smoothing, QStringLiteral("nan")), smoothing.fallback);
    EXPECT_EQ(acceptedValue(settingRow(StudioSetting::theme), QStringLiteral("pink")),
              QVariant(QStringLiteral("system")));
}

}  // namespace
}  // namespace unmask::ui
