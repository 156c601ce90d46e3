// SPDX-License-Identifier: Apache-2.0
// Every kind of editor, and boxes that a wheel must not change.
#include "ui/forms/setting_editors.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QWheelEvent>
#include <memory>

#include "ui/forms/setting_text.h"

namespace unmask::ui {
namespace {

TEST(ChoiceEditor, AWheelOverAnUnfocusedBoxChangesNothing) {
    SpecDraft draft;
    std::unique_ptr<SettingEditor> choice(makeSettingEditor(settingAt(QStringLiteral("training.precision")), &draft));
    choice->show();
    auto* box = qobject_cast<QComboBox*>(choice->control());
    ASSERT_NE(box, nullptr);
    box->clearFocus();
    QWheelEvent wheel(QPointF(5, 5), box->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(box, &wheel);
    EXPECT_EQ(draft.spec().training.precision, RunSpec().training.precision);
    EXPECT_EQ(box->currentIndex(), 0);
}

TEST(SettingEditors, EachTypeHasItsKind) {
    SpecDraft draft;
    for (const Setting& setting : allSettings()) {
        std::unique_ptr<SettingEditor> editor(makeSettingEditor(setting, &draft));
        ASSERT_NE(editor->control(), nullptr) << setting.path;
        EXPECT_FALSE(editor->control()->toolTip().isEmpty()) << setting.path;
        EXPECT_TRUE(editor->problemText().isEmpty()) << setting.path;
    }
    EXPECT_EQ(unitWord("tokens"), QStringLiteral("tokens"));
    EXPECT_EQ(unitWord(""), QString());
}

}  // namespace
}  // namespace unmask::ui
