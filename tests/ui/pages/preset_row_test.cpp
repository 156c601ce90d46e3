// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/preset_row.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QSignalSpy>

using namespace unmask;
using namespace unmask::ui;

namespace {

QAbstractButton* card(const PresetRow& row, const std::string& name) {
    return row.findChild<QAbstractButton*>(QString::fromStdString("preset-" + name));
}

TEST(PresetRow, TheCheckedCardIsTheShapeOfTheForm) {
    PresetRow row;
    for (const Preset& preset : allPresets()) {
        row.showModel(preset.spec.model);
        ASSERT_TRUE(card(row, preset.name)) << preset.name;
        EXPECT_TRUE(card(row, preset.name)->isChecked()) << preset.name;
        EXPECT_FALSE(card(row, "custom")->isChecked());
    }
    ModelConfig own = allPresets().front().spec.model;
    own.layers += 1;
    EXPECT_EQ(presetWithShape(own), nullptr);
    row.showModel(own);
    EXPECT_TRUE(card(row, "custom")->isChecked());
}

TEST(PresetRow, AClickedCardIsAskedFor) {
    PresetRow row;
    QSignalSpy presets(&row, &PresetRow::presetChosen);
    QSignalSpy customs(&row, &PresetRow::customChosen);
    const std::string name(allPresets().front().name);
    card(row, name)->click();
    ASSERT_EQ(presets.size(), 1);
    EXPECT_EQ(presets.first().first().toString().toStdString(), name);
    card(row, "custom")->click();
    EXPECT_EQ(customs.size(), 1);
    EXPECT_EQ(presets.size(), 1);
}

}  // namespace
