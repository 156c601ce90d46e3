// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_section.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include "engine/protocol/presets.h"
#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/support/wait_for.h"
#include "ui/pages/layout_figures.h"
#include "ui/pages/layout_proposals.h"
#include "ui/widgets/layout_picture.h"
#include "ui/widgets/problem_label.h"
#include "ui/widgets/stat_tile.h"

namespace unmask::ui {
namespace {

using test::isChinese;
using test::waitFor;

class LayoutSectionTest : public testing::Test {
 protected:
    LayoutSectionTest() {
        RunSpec spec = presetSpec("base").value();  // 12 layers, 12 heads
        spec.training.batchSize = 64;
        m_draft.load(spec);
        m_section = std::make_unique<LayoutSection>(&m_draft);
        m_section->resize(700, 1400);
        m_section->setHardware(computer());
        m_section->show();
        waitForAnswer();
    }
    static Hardware computer() {
        Hardware hardware;
        hardware.cores = 8;
        hardware.matrixFlopsPerSecond = 4e11;
        hardware.memoryBytes = 64.0 * (1LL << 30);
        hardware.availableMemoryBytes = 48.0 * (1LL << 30);
        return hardware;
    }
    void waitForAnswer() {
        ASSERT_TRUE(waitFor([this] {
            const auto& latest = m_section->latest();
            return latest && latest->spec == m_draft.spec() && latest->machines == m_section->machines() &&
                   latest->hardware == computer();
        }));
    }
    void describe(const char* machines) {
        m_section->findChild<QComboBox*>(QStringLiteral("machines"))->setEditText(QString::fromUtf8(machines));
        waitForAnswer();
    }
    void set(const char* path, const char* value) {
        m_draft.setText(QLatin1String(path), QLatin1String(value));
        waitForAnswer();
    }
    QPushButton* button(const char* name) const {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return m_section->findChild<QPushButton*>(QLatin1String(name));
    }
    LayoutPicture* picture() const { return m_section->findChild<LayoutPicture*>(); }
    QString label(const char* name) const { return m_section->findChild<QLabel*>(QLatin1String(name))->text(); }
    bool shown(const char* name) const { return !m_section->findChild<QLabel*>(QLatin1String(name))->isHidden(); }
    // All that can be read, without what is on its way out.
    QString allText() const {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QStringList texts;
        for (const QLabel* one : m_section->findChildren<QLabel*>())
            if (one->isVisible())
                texts << one->text();
        return texts.join(QLatin1Char('\n'));
    }
    bool says(const char* words) const { return allText().contains(QString::fromUtf8(words)); }
    QList<StatTile*> tiles() const {
        QList<StatTile*> visible;
        for (StatTile* tile : m_section->findChildren<StatTile*>())
            if (tile->isVisible())
                visible << tile;
        return visible;
    }

    SpecDraft m_draft;
    std::unique_ptr<LayoutSection> m_section;
};

TEST_F(LayoutSectionTest, ThisComputerIsDrawnWithoutTheWordProjection) {
    EXPECT_EQ(picture()->shownDevices(), 1);
    EXPECT_FALSE(shown("projection"));
    EXPECT_TRUE(says("8 CPU cores of this computer"));
    EXPECT_FALSE(allText().contains(QStringLiteral("rojection"))) << allText().toStdString();
    ASSERT_FALSE(tiles().isEmpty()) << "an estimate is there";
    EXPECT_GT(picture()->scene().memoryOf(0).needed(), 0);
    EXPECT_NEAR(picture()->scene().memoryOf(0).others / (1LL << 30), 16, 1e-6) << "what others use is hatched";
}

TEST_F(LayoutSectionTest, DescribedDevicesAreDrawnAndEveryFigureIsCalledAProjection) {
    describe("8 x A100 80 GB on 2 nodes");
    set("parallel.data_parallel_size", "4");
    set("parallel.tensor_parallel_size", "2");
    EXPECT_EQ(picture()->shownDevices(), 8);
    EXPECT_EQ(picture()->scene().nodes, 2);
    EXPECT_EQ(picture()->scene().holdings.first().layers.size(), 12);
    EXPECT_TRUE(shown("projection"));
    EXPECT_TRUE(label("layoutWords").contains(QStringLiteral("a projection"))) << label("layoutWords").toStdString();
    ASSERT_GE(tiles().size(), 3);
    for (const StatTile* tile : tiles())
        EXPECT_TRUE(tile->accessibleName().contains(QStringLiteral("(projection)")))
            << tile->accessibleName().toStdString();
    EXPECT_TRUE(says("Start trains on this computer, with 8 process(es) on 8 CPU cores.")) << allText().toStdString();
    describe("This computer");
    EXPECT_TRUE(m_section->machines().isEmpty());
    EXPECT_FALSE(shown("projection"));
}

TEST_F(LayoutSectionTest, TheBlocksOfEachStageAreOnItsDevices) {
    describe("4 x H100");
    set("parallel.pipeline_stages", "4");
    const LayoutScene& scene = picture()->scene();
    ASSERT_EQ(scene.holdings.size(), 4);
    EXPECT_EQ(scene.holdings[1].layers, (QVector<int>{3, 4, 5}));
    picture()->setCurrent(3);
    EXPECT_TRUE(label("deviceWords").contains(QStringLiteral("Holds layers 10–12.")))
        << label("deviceWords").toStdString();
}

TEST_F(LayoutSectionTest, WrongWordsAreAnsweredWithASentenceAndNothingIsDrawn) {
    describe("8 x A1000");
    EXPECT_TRUE(says("did you mean A100?")) << allText().toStdString();
    EXPECT_FALSE(picture()->isVisible());
    EXPECT_FALSE(button("propose")->isEnabled());
    describe("8 x A100");
    EXPECT_TRUE(picture()->isVisible());
    EXPECT_FALSE(says("did you mean"));
}

TEST_F(LayoutSectionTest, AnIllegalLayoutSaysWhyAndTheNearestLegalOneIsAClickAway) {
    describe("8 x A100 80 GB");
    EXPECT_EQ(button("useNearest"), nullptr);
    set("parallel.tensor_parallel_size", "5");
    EXPECT_TRUE(says("5 does not divide the 12 attention heads.")) << allText().toStdString();
    EXPECT_EQ(m_draft.spec().parallel.tensorParallelSize, 5) << "what was typed stays";
    EXPECT_TRUE(picture()->isVisible());
    EXPECT_TRUE(tiles().isEmpty()) << "figures of an illegal layout are not made up";
    EXPECT_TRUE(says("Tensor parallel 5 → 4")) << allText().toStdString();
    ASSERT_TRUE(button("useNearest"));
    button("useNearest")->click();
    waitForAnswer();
    EXPECT_EQ(m_draft.spec().parallel.tensorParallelSize, 4);
    EXPECT_FALSE(says("does not divide"));
    EXPECT_EQ(button("useNearest"), nullptr);
    m_draft.undoStack()->undo();
    EXPECT_EQ(m_draft.spec().parallel.tensorParallelSize, 5) << "one step of undo";
}

TEST_F(LayoutSectionTest, MoreRanksThanDevicesAreRefusedAndDrawnAsMissing) {
    describe("2 x A100 80 GB");
    set("parallel.data_parallel_size", "4");
    EXPECT_TRUE(says("The layout needs 4 devices; there are 2."));
    EXPECT_EQ(picture()->shownDevices(), 4);
    EXPECT_EQ(useOf(picture()->scene(), 3), DeviceUse::missing);
}

// The words are the engine's own list; a version that can do more changes this test's layout, not its point.
TEST_F(LayoutSectionTest, WhatThisVersionCannotCarryOutIsSaidAndMended) {
    describe("8 x A100 80 GB");
    set("parallel.context_parallel_size", "8");
    const LayoutAnswer& answer = *m_section->latest();
    if (!hasErrors(answer.plan.limits))
        GTEST_SKIP() << "this version carries all of it out";
    EXPECT_TRUE(answer.plan.legal);
    EXPECT_TRUE(says("This version cannot carry this layout out yet:"));
    EXPECT_TRUE(allText().contains(QString::fromStdString(answer.plan.limits.front().en)));
    ASSERT_TRUE(button("useRunnable"));
    button("useRunnable")->click();
    waitForAnswer();
    EXPECT_FALSE(hasErrors(m_section->latest()->plan.limits));
    EXPECT_FALSE(says("This version cannot"));
}

TEST_F(LayoutSectionTest, ProposalsComeWithReasonsAndAreTakenOverByOneClick) {
    describe("8 x A100 80 GB");
    button("propose")->click();
    auto* list = m_section->findChild<LayoutProposalList*>();
    ASSERT_TRUE(waitFor([&] { return list->proposals().has_value(); }, 60000));
    ASSERT_FALSE(list->proposals()->list.empty());
    EXPECT_LE(list->proposals()->list.size(), 3u);
    const LayoutChoice best = list->proposals()->list.front();
    ASSERT_FALSE(best.reasons.empty());
    EXPECT_TRUE(allText().contains(QString::fromStdString(best.reasons.front().en)));
    EXPECT_TRUE(label("proposalFigures-1").startsWith(QStringLiteral("Projection: ")));
    EXPECT_FALSE(best.plan.parallel == m_draft.spec().parallel);
    button("useProposal-1")->click();
    EXPECT_EQ(m_draft.spec().parallel, best.plan.parallel);
    waitForAnswer();
    EXPECT_TRUE(m_section->latest()->plan.legal);
    EXPECT_TRUE(list->proposals().has_value()) << "the others may still be looked at";
    set("model.layers", "24");
    EXPECT_FALSE(list->proposals().has_value()) << "they spoke of another model";
    m_draft.undoStack()->undo();
    m_draft.undoStack()->undo();
    EXPECT_EQ(m_draft.spec().parallel.dataParallelSize, 1);
}

TEST_F(LayoutSectionTest, OnThisComputerOnlyWhatRunsIsProposed) {
    button("propose")->click();
    auto* list = m_section->findChild<LayoutProposalList*>();
    ASSERT_TRUE(waitFor([&] { return list->proposals().has_value(); }, 60000));
    ASSERT_FALSE(list->proposals()->list.empty());
    for (const LayoutChoice& choice : list->proposals()->list)
        EXPECT_TRUE(choice.plan.runsToday());
    EXPECT_FALSE(label("proposalFigures-1").contains(QStringLiteral("rojection")));
}

TEST_F(LayoutSectionTest, EachFieldOfTheLayoutIsFoundByItsPath) {
    m_section->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_section.get()));
    for (const QString& path : LayoutSection::paths())
        EXPECT_TRUE(m_section->focusSetting(path)) << path.toStdString();
    EXPECT_TRUE(m_section->focusSetting(QStringLiteral("parallel")));
    EXPECT_EQ(QApplication::focusWidget()->objectName(), QStringLiteral("parallel.data_parallel_size"));
    EXPECT_FALSE(m_section->focusSetting(QStringLiteral("model.heads")));
}

TEST_F(LayoutSectionTest, AFormThatIsWrongElsewhereIsNotPlanned) {
    set("model.heads", "5");
    EXPECT_FALSE(picture()->isVisible());
    EXPECT_TRUE(says("as soon as the other fields are right"));
    m_draft.undoStack()->undo();
    waitForAnswer();
    EXPECT_TRUE(picture()->isVisible());
}

TEST_F(LayoutSectionTest, ButtonsStayWhereTheyAreWhileMemoryIsLookedAtAgain) {
    set("parallel.tensor_parallel_size", "5");
    const QPushButton* before = button("useNearest");
    ASSERT_TRUE(before);
    Hardware later = computer();
    later.availableMemoryBytes = 40.0 * (1LL << 30);
    m_section->setHardware(later);
    ASSERT_TRUE(waitFor([&] { return m_section->latest()->hardware == later; }));
    EXPECT_EQ(button("useNearest"), before);
}

TEST_F(LayoutSectionTest, EveryControlHasAName) {
    describe("8 x A100 80 GB");
    set("parallel.tensor_parallel_size", "5");
    for (const QWidget* widget : m_section->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() ||
            widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        const auto* push = qobject_cast<const QAbstractButton*>(widget);
        const bool named = !widget->accessibleName().isEmpty() || (push && !push->text().isEmpty()) ||
                           (widget->parentWidget() && !widget->parentWidget()->accessibleName().isEmpty());
        EXPECT_TRUE(named) << widget->metaObject()->className() << " " << widget->objectName().toStdString();
    }
}

TEST_F(LayoutSectionTest, SpeaksChineseAsSoonAsTheWindowDoes) {
    describe("8 x A100 80 GB on 2 nodes");
    set("parallel.tensor_parallel_size", "5");
    const test::ChineseWords chinese;
    EXPECT_TRUE(isChinese(button("propose")->text()));
    EXPECT_TRUE(isChinese(button("useNearest")->text()));
    EXPECT_TRUE(isChinese(label("projection")));
    EXPECT_TRUE(isChinese(label("layoutClaim")));
    EXPECT_TRUE(isChinese(label("deviceWords")));
    EXPECT_TRUE(isChinese(picture()->accessibleName()));
    for (const ProblemLabel* problem : m_section->findChildren<ProblemLabel*>())
        if (problem->isVisible()) {
            EXPECT_TRUE(isChinese(problem->sentence())) << problem->sentence().toStdString();
        }
    EXPECT_EQ(m_section->findChild<QComboBox*>(QStringLiteral("machines"))->currentText(),
              QStringLiteral("8 x A100 80 GB on 2 nodes"))
        << "what was typed stays";
    m_section->setMachines({});
    waitForAnswer();
    EXPECT_TRUE(isChinese(m_section->findChild<QComboBox*>(QStringLiteral("machines"))->currentText()));
    EXPECT_FALSE(shown("projection"));
}

// A window of 1.5 times the text, with the narrowest column that the page gives.
TEST_F(LayoutSectionTest, NothingIsCutOffWithLargerText) {
    describe("8 x A100 80 GB on 2 nodes");
    m_section->resize(m_section->minimumSizeHint().width(), 2000);
    QCoreApplication::processEvents();
    for (const QPushButton* one : m_section->findChildren<QPushButton*>())
        if (one->isVisible()) {
            EXPECT_GE(one->width(), one->minimumSizeHint().width()) << one->text().toStdString();
        }
}

}  // namespace
}  // namespace unmask::ui
