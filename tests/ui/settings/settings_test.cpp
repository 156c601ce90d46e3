// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/settings.h"

#include <gtest/gtest.h>

#include "engine/base/places.h"
#include "tests/support/temp_run.h"

namespace unmask::ui {
namespace {

TEST(Settings, ValuesOutliveTheProgram) {
    const test::TempFolder folder;
    const auto file = folder.path() / "配置 dir" / "studio.ini";
    {
        Settings settings(file);
        settings.set(StudioSetting::language, QStringLiteral("zh_CN"));
        settings.set(StudioSetting::smoothing, 0.25);
        settings.set(StudioSetting::windowGeometry, QByteArray("\x00\xff\n;=", 5));
        settings.set(StudioSetting::comparedRuns, QStringList{QStringLiteral("a,b"), QStringLiteral("c \"d\"")});
    }
    const Settings settings(file);
    EXPECT_EQ(settings.text(StudioSetting::language), QStringLiteral("zh_CN"));
    EXPECT_EQ(settings.get<double>(StudioSetting::smoothing), 0.25);
    EXPECT_EQ(settings.get<QByteArray>(StudioSetting::windowGeometry), QByteArray("\x00\xff\n;=", 5));
    EXPECT_EQ(settings.get<QStringList>(StudioSetting::comparedRuns),
              (QStringList{QStringLiteral("a,b"), QStringLiteral("c \"d\"")}));
    EXPECT_EQ(settings.text(StudioSetting::theme), QStringLiteral("system"));
}

TEST(Settings, WhatDoesNotFitIsTheDefault) {
    const test::TempFolder folder;
    const auto file = folder.path() / "studio.ini";
    test::writeBytes(
        file, "[appearance]\nlanguage=klingon\nfont_scale=9000\ntheme=dark\n[charts]\nsmoothing=much\n\xff\xfe[[[");
    Settings settings(file);
    EXPECT_EQ(settings.text(StudioSetting::language), QStringLiteral("system"));
    EXPECT_EQ(settings.get<int>(StudioSetting::fontScale), 100);
    EXPECT_EQ(settings.get<double>(StudioSetting::smoothing), 0.6);
    EXPECT_EQ(settings.text(StudioSetting::theme), QStringLiteral("dark"));
    settings.set(StudioSetting::fontScale, 5);
    EXPECT_EQ(settings.get<int>(StudioSetting::fontScale), 100);
}

TEST(Settings, ChangesAreToldOnceAndResetTouchesItsScopeOnly) {
    const test::TempFolder folder;
    Settings settings(folder.path() / "studio.ini");
    std::vector<StudioSetting> told;
    QObject::connect(&settings, &Settings::changed, &settings, [&](StudioSetting setting) { told.push_back(setting); });
    settings.set(StudioSetting::fontScale, 120);
    settings.set(StudioSetting::fontScale, 120);
    settings.set(StudioSetting::runFilter, QStringLiteral("state:failed"));
    EXPECT_EQ(told, (std::vector{StudioSetting::fontScale, StudioSetting::runFilter}));
    settings.reset(SettingScope::appearance);
    EXPECT_EQ(settings.get<int>(StudioSetting::fontScale), 100);
    EXPECT_EQ(settings.text(StudioSetting::runFilter), QStringLiteral("state:failed"));
}

TEST(Settings, TheRunsFolderIsTheShelfsUntilOneIsChosen) {
    const test::TempFolder folder;
    Settings settings(folder.path() / "studio.ini");
    EXPECT_EQ(settings.runsFolder(), unmask::runsFolder());
    settings.set(StudioSetting::runsFolder, QStringLiteral("/data/训练 runs"));
    EXPECT_EQ(settings.runsFolder(), std::filesystem::path("/data/训练 runs"));
}

}  // namespace
}  // namespace unmask::ui
