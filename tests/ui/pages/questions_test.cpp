// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/questions.h"

#include <gtest/gtest.h>

#include <QInputDialog>
#include <memory>

using namespace unmask::ui;

namespace {

TEST(Questions, AnAnswerArrivesAndACancelledQuestionNeverDoes) {
    QWidget window;
    QObject context;
    QStringList answers;
    const auto ask = [&] {
        askForText(&window, QStringLiteral("Rename"), QStringLiteral("Name"), QStringLiteral("old"), &context,
                   [&](const QString& text) { answers.append(text); });
        return window.findChildren<QInputDialog*>().last();
    };
    QInputDialog* first = ask();
    EXPECT_EQ(first->textValue(), QStringLiteral("old"));
    first->reject();
    EXPECT_TRUE(answers.isEmpty());
    QInputDialog* second = ask();
    second->setTextValue(QStringLiteral("new"));
    second->accept();
    EXPECT_EQ(answers, QStringList{QStringLiteral("new")});
}

TEST(Questions, NoCallComesAfterTheDeathOfWhoAsked) {
    QWidget window;
    auto context = std::make_unique<QObject>();
    bool called = false;
    askForText(&window, {}, {}, {}, context.get(), [&](const QString&) { called = true; });
    context.reset();
    window.findChild<QInputDialog*>()->accept();
    EXPECT_FALSE(called);
}

TEST(Questions, MoreStepsProposesAsManyAgainAndAtLeastOne) {
    QWidget window;
    QObject context;
    qint64 more = 0;
    askForMoreSteps(&window, QStringLiteral("tiny"), 8000, &context, [&](qint64 steps) { more = steps; });
    auto* dialog = window.findChild<QInputDialog*>();
    ASSERT_TRUE(dialog);
    EXPECT_TRUE(dialog->labelText().contains(QStringLiteral("8,000"))) << dialog->labelText().toStdString();
    EXPECT_EQ(dialog->intMinimum(), 1);
    dialog->accept();
    EXPECT_EQ(more, 8000);
}

}  // namespace
