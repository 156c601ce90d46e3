// SPDX-License-Identifier: Apache-2.0
// The forms as somebody uses them: typing, choosing, dropping, another language, undo by key.
#include "ui/forms/spec_form.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTest>

#include "ui/forms/setting_editor.h"
#include "ui/forms/setting_text.h"
#include "ui/style/language.h"

namespace unmask::ui {
namespace {

class SpecFormTest : public testing::Test {
 protected:
    void SetUp() override {
        m_form.resize(900, 700);
        m_form.show();
    }
    SettingEditor* editor(const char* path) {
        const QString name = QString::fromLatin1(path);
        return m_form.section(name.section(QLatin1Char('.'), 0, 0))->editor(name);
    }
    QLineEdit* line(const char* path) {
        SettingEditor* found = editor(path);
        if (auto* own = qobject_cast<QLineEdit*>(found->control()))
            return own;
        return found->findChild<QLineEdit*>();
    }
    SpecForm m_form;
};

TEST_F(SpecFormTest, HasAnEditorForEverySettingAndANameForEveryControl) {
    for (const Setting& setting : allSettings())
        EXPECT_NE(editor(setting.path.c_str()), nullptr) << setting.path;
    for (const QWidget* widget : m_form.findChildren<QWidget*>()) {
        if (widget->parentWidget()->inherits("QComboBoxPrivateContainer"))
            continue;  // the list that Qt makes for a box; screen readers read the box
        const bool control = widget->focusPolicy() != Qt::NoFocus && !widget->focusProxy();
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (control && !(button && !button->text().isEmpty())) {
            EXPECT_FALSE(widget->accessibleName().isEmpty())
                << widget->metaObject()->className() << " in " << widget->parentWidget()->metaObject()->className();
        }
    }
}

TEST_F(SpecFormTest, TypingReachesTheSpec) {
    int changes = 0;
    QObject::connect(&m_form, &SpecForm::specChanged, [&](const RunSpec&) { ++changes; });
    QLineEdit* steps = line("training.steps");
    steps->selectAll();
    QTest::keyClicks(steps, QStringLiteral("250"));
    EXPECT_EQ(m_form.spec().training.steps, 250);
    EXPECT_EQ(changes, 3);
    QTest::keyClicks(steps, QStringLiteral(".5"));
    EXPECT_EQ(m_form.spec().training.steps, 250);
    EXPECT_EQ(steps->text().toStdString(), "250.5");
    EXPECT_FALSE(editor("training.steps")->problemText().isEmpty());
    QTest::keyClick(steps, Qt::Key_Backspace);
    QTest::keyClick(steps, Qt::Key_Backspace);
    EXPECT_TRUE(editor("training.steps")->problemText().isEmpty());
}

TEST_F(SpecFormTest, UndoKeyBelongsToTheWholeForm) {
    line("training.steps")->selectAll();
    QTest::keyClicks(line("training.steps"), QStringLiteral("250"));
    QTest::keyClick(line("training.batch_size"), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(m_form.spec().training.steps, RunSpec().training.steps);
    EXPECT_EQ(line("training.steps")->text().toStdString(), std::to_string(RunSpec().training.steps));
}

TEST_F(SpecFormTest, ChoicesSwitchesAndIntervals) {
    auto* precision = qobject_cast<QComboBox*>(editor("training.precision")->control());
    QTest::keyClick(precision, Qt::Key_Down);
    EXPECT_NE(m_form.spec().training.precision, RunSpec().training.precision);
    auto* tied = qobject_cast<QCheckBox*>(editor("model.tied_head")->control());
    m_form.section(QStringLiteral("model"))->setAdvancedShown(true);
    QTest::keyClick(tied, Qt::Key_Space);
    EXPECT_TRUE(m_form.spec().model.tiedHead);
    QLineEdit* amount = line("checkpoint.checkpoint_interval");
    auto* unit = editor("checkpoint.checkpoint_interval")->findChild<QComboBox*>();
    amount->selectAll();
    QTest::keyClicks(amount, QStringLiteral("10"));
    unit->setFocus();
    QTest::keyClick(unit, Qt::Key_Down);
    QTest::keyClick(unit, Qt::Key_Down);
    EXPECT_EQ(m_form.spec().checkpoint.interval, (Interval{Interval::Unit::seconds, 600}));
    QTest::keyClick(unit, Qt::Key_End);
    EXPECT_EQ(m_form.spec().checkpoint.interval, Interval::never());
    EXPECT_FALSE(amount->isEnabled());
    QTest::keyClick(unit, Qt::Key_Home);
    EXPECT_EQ(m_form.spec().checkpoint.interval, Interval::steps(10)) << "the amount came back";
}

TEST_F(SpecFormTest, LanguageChangesWithoutRestartAndKeepsWhatWasTyped) {
    QTest::keyClicks(line("training.seed"), QStringLiteral("x"));
    setUiLanguage(Language::chinese);
    QEvent change(QEvent::LanguageChange);
    QApplication::sendEvent(&m_form, &change);
    QStringList labels;
    for (const QLabel* label : m_form.findChildren<QLabel*>())
        labels << label->text();
    EXPECT_TRUE(labels.contains(QStringLiteral("步数")));
    EXPECT_TRUE(line("training.seed")->text().endsWith(QLatin1Char('x')));
    EXPECT_EQ(line("training.seed")->accessibleName(), QStringLiteral("随机种子"));
    setUiLanguage(Language::english);
    QApplication::sendEvent(&m_form, &change);
    EXPECT_EQ(line("training.seed")->accessibleName(), QStringLiteral("Seed"));
}

// Nothing of a help text may be cut off: it takes as many lines as the width of the column asks for.
TEST(SpecForm, HelpIsReadWholeAtEveryWidthAndInBothLanguages) {
    QScrollArea area;
    auto* form = new SpecForm;
    area.setWidget(form);
    area.setWidgetResizable(true);
    area.show();
    for (const Language language : {Language::english, Language::chinese}) {
        setUiLanguage(language);
        QEvent change(QEvent::LanguageChange);
        QApplication::sendEvent(form, &change);
        for (const int width : {500, 640, 1100}) {
            area.resize(width, 700);
            for (const SettingSection& section : allSections())
                form->section(QString::fromStdString(section.name))->setAdvancedShown(true);
            QApplication::processEvents();
            EXPECT_LE(form->width(), width) << "the form cannot become narrower";
            for (const Setting& setting : allSettings()) {
                const QLabel* shown = nullptr;
                const auto* section = form->section(QString::fromStdString(setting.section));
                for (const QLabel* label :
                     section->editor(QString::fromStdString(setting.path))->findChildren<QLabel*>())
                    if (label->text() == settingHelp(setting))
                        shown = label;
                ASSERT_NE(shown, nullptr) << setting.path;
                EXPECT_TRUE(shown->isVisible()) << setting.path;
                EXPECT_GE(shown->height(), shown->heightForWidth(shown->width())) << setting.path << " at " << width;
                EXPECT_GE(shown->width(), shown->minimumSizeHint().width()) << setting.path << " at " << width;
            }
        }
    }
    setUiLanguage(Language::english);
}

TEST_F(SpecFormTest, FocusUnfoldsAdvancedSettings) {
    EXPECT_FALSE(editor("model.rope_base")->isVisible());
    EXPECT_TRUE(m_form.focusSetting(QStringLiteral("model.rope_base")));
    EXPECT_TRUE(editor("model.rope_base")->isVisible());
    EXPECT_FALSE(m_form.focusSetting(QStringLiteral("no.such")));
}

TEST_F(SpecFormTest, OutsideProblemsStandBesideTheirField) {
    m_form.draft()->setOutsideProblems(
        {{QStringLiteral("model.heads"), ProblemKind::error, QStringLiteral("5 does not divide 768.")}});
    EXPECT_EQ(editor("model.heads")->problemText().toStdString(), "5 does not divide 768.");
    m_form.draft()->setOutsideProblems({});
    EXPECT_TRUE(editor("model.heads")->problemText().isEmpty());
}

}  // namespace
}  // namespace unmask::ui
