// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/plan_pane.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "engine/protocol/presets.h"
#include "tests/ui/pages/chinese_words.h"
#include "ui/style/numbers.h"
#include "ui/widgets/memory_bar.h"

using namespace unmask;
using namespace unmask::ui;
using unmask::test::ChineseWords;
using unmask::test::isChinese;

namespace {

// Of a preset on a computer of which nothing is known but what is set here.
Estimate estimateOn(const Hardware& hardware) {
    Estimate estimate;
    estimate.spec = allPresets().front().spec;
    estimate.hardware = hardware;
    estimate.plan = planRun(estimate.spec, hardware);
    return estimate;
}

QString textOf(const PlanPane& pane, const char* name) {
    return pane.findChild<QLabel*>(QString::fromLatin1(name))->text();
}

// All that can be read, without what is on its way out.
QString allText(const PlanPane& pane) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QStringList texts;
    for (const QLabel* label : pane.findChildren<QLabel*>())
        texts.append(label->text());
    return texts.join(QLatin1Char('\n'));
}

const FieldProblem kError{QStringLiteral("model.heads"), ProblemKind::error, QStringLiteral("5 heads do not divide")};
const FieldProblem kWarning{QStringLiteral("training.steps"), ProblemKind::warning, QStringLiteral("This is long")};

TEST(PlanPane, BeforeTheFirstEstimateNothingIsClaimedAndNothingStarts) {
    PlanPane pane;
    EXPECT_EQ(textOf(pane, "parameterCount"), numbers::unknown());
    EXPECT_FALSE(pane.startButton()->isEnabled());
    EXPECT_FALSE(allText(pane).contains(QStringLiteral("Ready to start")));
}

TEST(PlanPane, AGoodPlanIsToldInFiguresAndMayStart) {
    Hardware hardware;
    hardware.cores = 2;
    hardware.matrixFlopsPerSecond = 1e11;
    const Estimate estimate = estimateOn(hardware);
    PlanPane pane;
    pane.show(estimate, {});
    EXPECT_EQ(textOf(pane, "parameterCount"), numbers::count(static_cast<double>(estimate.plan.parameters.total)));
    ASSERT_TRUE(estimate.plan.totalSeconds);
    EXPECT_TRUE(textOf(pane, "timeEstimate").contains(numbers::duration(estimate.plan.totalSeconds)));
    EXPECT_DOUBLE_EQ(pane.findChild<MemoryBar*>()->parts().needed(), static_cast<double>(estimate.plan.memory.total()));
    EXPECT_TRUE(allText(pane).contains(QStringLiteral("Ready to start")));
    EXPECT_TRUE(pane.startButton()->isEnabled());
}

TEST(PlanPane, ATimeThatNobodyKnowsIsCalledUnknown) {
    const Estimate estimate = estimateOn({});
    ASSERT_FALSE(estimate.plan.totalSeconds);
    PlanPane pane;
    pane.show(estimate, {});
    EXPECT_TRUE(textOf(pane, "timeEstimate").contains(QStringLiteral("unknown")));
    EXPECT_FALSE(textOf(pane, "timeEstimate").contains(QStringLiteral("About")));
}

TEST(PlanPane, ErrorsHoldStartBackWarningsDoNotAndBothLeadToTheirField) {
    PlanPane pane;
    QSignalSpy chosen(&pane, &PlanPane::problemChosen);
    pane.show(estimateOn({}), {kError, kWarning});
    EXPECT_FALSE(pane.startButton()->isEnabled());
    const QString text = allText(pane);
    EXPECT_TRUE(text.contains(kError.sentence) && text.contains(kWarning.sentence)) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("Ready to start")));
    for (QPushButton* button : pane.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Go to the field"))
            button->click();
    ASSERT_EQ(chosen.size(), 2);
    EXPECT_EQ(chosen[0][0].toString(), kError.path);
    EXPECT_EQ(chosen[1][0].toString(), kWarning.path);

    pane.show(estimateOn({}), {kWarning});
    EXPECT_TRUE(pane.startButton()->isEnabled());
    EXPECT_FALSE(allText(pane).contains(kError.sentence));
}

// The planner is not asked about a form that is wrong; figures of the form before must not stay.
TEST(PlanPane, AFormThatCannotBePlannedShowsNoFiguresOfTheOneBefore) {
    PlanPane pane;
    const Estimate good = estimateOn({});
    pane.show(good, {});
    ASSERT_FALSE(good.plan.verdict.en.empty());
    ASSERT_TRUE(allText(pane).contains(QString::fromStdString(good.plan.verdict.en)));
    Estimate unplanned;
    unplanned.spec = good.spec;
    pane.show(unplanned, {kError});
    EXPECT_EQ(textOf(pane, "parameterCount"), numbers::unknown());
    EXPECT_FALSE(allText(pane).contains(QString::fromStdString(good.plan.verdict.en)));
    EXPECT_DOUBLE_EQ(pane.findChild<MemoryBar*>()->parts().needed(), 0);
}

TEST(PlanPane, StartAsksOnceAndRestsWhileARunStarts) {
    PlanPane pane;
    pane.show(estimateOn({}), {});
    QSignalSpy asked(&pane, &PlanPane::startRequested);
    pane.startButton()->click();
    ASSERT_EQ(asked.size(), 1);
    pane.setStarting(true, QStringLiteral("reading the corpus"));
    EXPECT_TRUE(allText(pane).contains(QStringLiteral("reading the corpus")));
    pane.startButton()->click();
    EXPECT_EQ(asked.size(), 1);
    pane.setStarting(false);
    pane.startButton()->click();
    EXPECT_EQ(asked.size(), 2);
}

TEST(PlanPane, AStartThatFailedDoesNotFreeAFormWithErrors) {
    PlanPane pane;
    pane.show(estimateOn({}), {kError});
    pane.setStarting(true);
    pane.setStarting(false);
    EXPECT_FALSE(pane.startButton()->isEnabled());
}

TEST(PlanPane, SpeaksChineseAsSoonAsTheWindowDoes) {
    PlanPane pane;
    pane.show(estimateOn({}), {});
    const ChineseWords chinese;
    for (const QLabel* label : pane.findChildren<QLabel*>()) {
        EXPECT_FALSE(label->text().contains(QStringLiteral("Ready"))) << label->text().toStdString();
        EXPECT_FALSE(label->text().contains(QStringLiteral("Memory"))) << label->text().toStdString();
    }
    EXPECT_TRUE(isChinese(textOf(pane, "timeEstimate")));
    EXPECT_TRUE(isChinese(pane.startButton()->text()));
}

}  // namespace
