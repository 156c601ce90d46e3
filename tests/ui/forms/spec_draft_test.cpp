// SPDX-License-Identifier: Apache-2.0
#include "ui/forms/spec_draft.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "engine/protocol/presets.h"

namespace unmask::ui {
namespace {

const QString kSteps = QStringLiteral("training.steps");
const QString kRate = QStringLiteral("optimizer.learning_rate");

TEST(SpecDraft, TypingChangesTheSpecOnceItIsAValue) {
    SpecDraft draft;
    int changes = 0;
    QObject::connect(&draft, &SpecDraft::specChanged, [&](const RunSpec&) { ++changes; });
    draft.setText(kSteps, QStringLiteral("5"));
    draft.setText(kSteps, QStringLiteral("500"));
    EXPECT_EQ(draft.spec().training.steps, 500);
    EXPECT_EQ(changes, 2);
    draft.setText(kSteps, QStringLiteral("500x"));
    EXPECT_EQ(draft.spec().training.steps, 500) << "the last value stands";
    EXPECT_EQ(changes, 2);
    EXPECT_TRUE(draft.hasInvalidText());
    EXPECT_EQ(draft.text(kSteps).toStdString(), "500x") << "what was typed is kept";
    EXPECT_EQ(draft.problemOf(kSteps).kind, ProblemKind::error);
    draft.setText(kSteps, QStringLiteral("600"));
    EXPECT_FALSE(draft.hasInvalidText());
    EXPECT_EQ(draft.problemOf(kSteps).kind, ProblemKind::none);
}

TEST(SpecDraft, TypedFormOfAValueStaysAsTyped) {
    SpecDraft draft;
    draft.setText(kRate, QStringLiteral("3e-5"));
    EXPECT_EQ(draft.spec().optimizer.learningRate, 3e-5);
    EXPECT_EQ(draft.text(kRate).toStdString(), "3e-5");
    draft.setText(kRate, QStringLiteral("0.00"));  // on the way to 0.001
    EXPECT_EQ(draft.text(kRate).toStdString(), "0.00");
}

TEST(SpecDraft, QuickTypingIsOneUndoStepSlowTypingTwo) {
    SpecDraft draft;
    for (const char* text : {"1", "12", "123"})
        draft.setText(kSteps, QString::fromLatin1(text));
    EXPECT_EQ(draft.undoStack()->count(), 1);
    QTest::qWait(600);
    draft.setText(kSteps, QStringLiteral("1234"));
    EXPECT_EQ(draft.undoStack()->count(), 2);
    draft.setText(kRate, QStringLiteral("1e-4"));
    EXPECT_EQ(draft.undoStack()->count(), 3) << "another field never merges";
    draft.undoStack()->undo();
    draft.undoStack()->undo();
    EXPECT_EQ(draft.spec().training.steps, 123);
    draft.undoStack()->undo();
    EXPECT_EQ(draft.spec().training.steps, RunSpec().training.steps);
    draft.undoStack()->redo();
    EXPECT_EQ(draft.spec().training.steps, 123);
}

TEST(SpecDraft, UndoBringsBackUnfinishedTextToo) {
    SpecDraft draft;
    draft.setText(kSteps, QStringLiteral("many"));
    draft.setValue(QStringLiteral("model.layers"), Json(12));
    draft.reset(kSteps);
    EXPECT_FALSE(draft.hasInvalidText());
    draft.undoStack()->undo();
    EXPECT_EQ(draft.text(kSteps).toStdString(), "many");
}

TEST(SpecDraft, PresetIsOneNamedStepAndKeepsUnfinishedFieldsItDoesNotTouch) {
    SpecDraft draft;
    draft.setText(QStringLiteral("training.seed"), QStringLiteral("4x"));
    draft.setText(QStringLiteral("model.layers"), QStringLiteral("many"));
    RunSpec preset = draft.spec();
    preset.model.layers = 24;
    draft.apply(preset, QStringLiteral("apply preset 24 layers"));
    EXPECT_EQ(draft.undoStack()->undoText().toStdString(), "apply preset 24 layers");
    EXPECT_EQ(draft.text(QStringLiteral("model.layers")).toStdString(), "24");
    EXPECT_EQ(draft.text(QStringLiteral("training.seed")).toStdString(), "4x");
    draft.undoStack()->undo();
    EXPECT_EQ(draft.text(QStringLiteral("model.layers")).toStdString(), "many");
}

TEST(SpecDraft, StackHoldsTwoHundredSteps) {
    SpecDraft draft;
    for (int i = 1; i <= 300; ++i)
        draft.setValue(QStringLiteral("model.layers"), Json(i));
    EXPECT_EQ(draft.undoStack()->count(), 200);
    draft.load(RunSpec{});
    EXPECT_EQ(draft.undoStack()->count(), 0);
}

// A layout as a whole has no field, and is refused all the same.
TEST(SpecDraft, AProblemOfASectionIsNotLost) {
    SpecDraft draft;
    draft.setOutsideProblems({{QStringLiteral("parallel"), ProblemKind::error, QStringLiteral("not carried out")}});
    ASSERT_EQ(draft.problems().size(), 1);
    EXPECT_EQ(draft.problems().first().path, QStringLiteral("parallel"));
}

TEST(SpecDraft, ProblemsComeInTheOrderOfTheForm) {
    SpecDraft draft;
    QSignalSpy changed(&draft, &SpecDraft::problemsChanged);
    draft.setOutsideProblems(
        {{kSteps, ProblemKind::warning, QStringLiteral("few steps")},
         {QString(), ProblemKind::error, QStringLiteral("no space")},
         {QStringLiteral("model.heads"), ProblemKind::error, QStringLiteral("5 does not divide")}});
    draft.setText(kSteps, QStringLiteral("x"));
    ASSERT_GE(changed.size(), 2);
    const QList<FieldProblem> problems = draft.problems();
    ASSERT_EQ(problems.size(), 4);
    EXPECT_EQ(problems[0].path, QStringLiteral("model.heads"));
    EXPECT_EQ(problems[1].kind, ProblemKind::error);
    EXPECT_EQ(problems[2].sentence, QStringLiteral("few steps"));
    EXPECT_TRUE(problems[3].path.isEmpty());
    EXPECT_EQ(draft.problemOf(kSteps).kind, ProblemKind::error);
}

TEST(SpecDraft, SavedDraftComesBackWhole) {
    SpecDraft draft;
    draft.setText(kSteps, QStringLiteral("777"));
    draft.setText(kRate, QStringLiteral("fast"));
    draft.setValue(QStringLiteral("data.files"), Json::array({"/tmp/训练 数据/a'b.txt"}));
    const Json saved = parseJson(draft.save().dump()).orThrow();
    SpecDraft other;
    ASSERT_TRUE(other.restore(saved));
    EXPECT_EQ(other.spec(), draft.spec());
    EXPECT_EQ(other.text(kRate).toStdString(), "fast");
    EXPECT_TRUE(other.hasInvalidText());
    for (const char* broken : {"{}", "[]", "{\"spec\":5}", "{\"spec\":{\"model\":{\"layers\":\"x\"}}}"})
        EXPECT_FALSE(other.restore(Json::parse(broken))) << broken;
    EXPECT_EQ(other.spec(), draft.spec()) << "a broken draft changes nothing";
}

TEST(SpecDraft, DefaultsAndReset) {
    SpecDraft draft;
    EXPECT_TRUE(draft.isDefault(kSteps));
    draft.setText(kSteps, QStringLiteral("5"));
    EXPECT_FALSE(draft.isDefault(kSteps));
    draft.reset(kSteps);
    EXPECT_TRUE(draft.isDefault(kSteps));
    draft.setText(kSteps, QStringLiteral("?"));
    EXPECT_FALSE(draft.isDefault(kSteps)) << "unfinished text is not the default";
}

}  // namespace
}  // namespace unmask::ui
