// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/new_run_page.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "engine/protocol/presets.h"
#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"
#include "ui/pages/layout_section.h"
#include "ui/pages/plan_pane.h"
#include "ui/pages/preset_row.h"
#include "ui/pages/run_files.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class NewRunPageTest : public test::PageFixture {
 protected:
    NewRunPageTest() {
        openStore();
        m_actions = std::make_unique<RunActions>(services());
        openPage();
    }
    void openPage() {
        m_page = std::make_unique<NewRunPage>(services(), m_actions.get());
        m_page->resize(1200, 750);
        m_page->show();
    }
    QPushButton* start() const { return m_page->findChild<QPushButton*>(QStringLiteral("startButton")); }
    Banner* banner() const { return m_page->findChild<Banner*>(); }
    QPushButton* bannerButton(const char* text) const {
        for (QPushButton* button : banner()->findChildren<QPushButton*>())
            if (button->text() == QLatin1String(text) && !button->isHidden())
                return button;
        return nullptr;
    }
    void type(const char* path, const char* text) { m_page->draft().setText(QLatin1String(path), QLatin1String(text)); }
    RunSpec spec() const { return m_page->draft().spec(); }
    void waitUntilChecked() {
        ASSERT_TRUE(waitFor([&] { return m_page->mayStart(); }));
    }

    std::unique_ptr<RunActions> m_actions;
    std::unique_ptr<NewRunPage> m_page;
};

TEST_F(NewRunPageTest, TheFirstTimeEverythingIsFilledInAndStartIsLegal) {
    EXPECT_EQ(spec().model, presetSpec("first-steps").value().model);
    waitUntilChecked();
    EXPECT_TRUE(start()->isEnabled());
}

TEST_F(NewRunPageTest, StartCallsTheEngineAndLeadsToTheNewRun) {
    engineAnswers(R"({"folder":"/somewhere/new","id":"new","pid":1})");
    type("training.steps", "321");
    waitUntilChecked();
    QSignalSpy live(&m_navigator, &Navigator::liveFolderRequested);
    start()->click();
    ASSERT_TRUE(waitFor([&] { return !live.isEmpty(); }));
    EXPECT_EQ(live[0][0].toString(), QStringLiteral("/somewhere/new"));
    EXPECT_NE(engineArguments().find("start --json --spec"), std::string::npos) << engineArguments();
}

TEST_F(NewRunPageTest, AStartThatFailsSaysWhyAndTheFormStays) {
    engineAnswers("", "error: the disk is full", 24);
    type("training.steps", "321");
    waitUntilChecked();
    start()->click();
    ASSERT_TRUE(waitFor([&] { return banner()->isVisible(); }));
    EXPECT_TRUE(banner()->sentence().contains(QStringLiteral("the disk is full")))
        << banner()->sentence().toStdString();
    EXPECT_EQ(spec().training.steps, 321);
    EXPECT_TRUE(start()->isEnabled());
}

TEST_F(NewRunPageTest, AWrongValueBlocksStartUntilItIsMended) {
    waitUntilChecked();
    type("model.heads", "5");
    EXPECT_TRUE(waitFor([&] { return !start()->isEnabled(); }));
    EXPECT_FALSE(m_page->mayStart());
    m_page->draft().undoStack()->undo();
    waitUntilChecked();
}

// The engine refuses by the same list (layoutProblems).
TEST_F(NewRunPageTest, ALayoutThatThisVersionDoesNotCarryOutIsRefusedWithItsReason) {
    waitUntilChecked();
    type("parallel.context_parallel_size", "2");
    const std::vector<Problem> problems = layoutProblems(spec());
    if (!hasErrors(problems))
        GTEST_SKIP() << "this version carries it out";
    ASSERT_TRUE(waitFor([&] { return !start()->isEnabled(); }));
    EXPECT_FALSE(m_page->mayStart());
    QStringList said;
    for (const QLabel* label : m_page->findChild<PlanPane*>()->findChildren<QLabel*>())
        said << label->text();
    EXPECT_TRUE(said.contains(QString::fromStdString(problems.front().en)))
        << said.join(QLatin1Char('\n')).toStdString();
    EXPECT_EQ(spec().parallel.contextParallelSize, 2) << "what was typed stays";
    m_page->draft().undoStack()->undo();
    waitUntilChecked();
}

TEST_F(NewRunPageTest, TheDevicesThatWereDescribedComeBackToo) {
    m_page->findChild<LayoutSection*>()->setMachines(QStringLiteral("8 x H100"));
    ASSERT_TRUE(waitFor([&] { return m_settings.get<QByteArray>(StudioSetting::lastForm).contains("8 x H100"); }));
    openPage();
    EXPECT_EQ(m_page->findChild<LayoutSection*>()->machines(), QStringLiteral("8 x H100"));
}

TEST_F(NewRunPageTest, WhatWasTypedComesBackWhenTheStudioIsOpenedAnew) {
    type("training.steps", "777");
    type("model.heads", "four");
    ASSERT_TRUE(waitFor([&] { return m_settings.get<QByteArray>(StudioSetting::lastForm).contains("777"); }));
    openPage();
    EXPECT_EQ(spec().training.steps, 777);
    EXPECT_EQ(m_page->draft().text(QStringLiteral("model.heads")), QStringLiteral("four"));
}

TEST_F(NewRunPageTest, APresetChangesTheModelAndKeepsWhatPeopleChose) {
    m_page->useDataFiles({QStringLiteral("/data/a b.txt")});
    type("training.seed", "7");
    Q_EMIT m_page->findChild<PresetRow*>()->presetChosen(QStringLiteral("base"));
    EXPECT_EQ(spec().model, presetSpec("base").value().model);
    EXPECT_EQ(spec().data.files, std::vector<std::string>{"/data/a b.txt"});
    EXPECT_EQ(spec().training.seed, 7u);
    m_page->draft().undoStack()->undo();
    EXPECT_EQ(spec().model, presetSpec("first-steps").value().model) << "a preset is one step of undo";
    EXPECT_EQ(spec().training.seed, 7u);
}

TEST_F(NewRunPageTest, TheSettingsOfARunOfferToResumeIt) {
    const QString key = addRun("poems", JournalText().started("poems").losses(1, 9));
    type("training.steps", "777");
    m_page->openRunFile(row(key).folder + QStringLiteral("/run.json"));
    ASSERT_TRUE(waitFor([&] { return bannerButton("Resume that run") != nullptr; }));
    EXPECT_TRUE(banner()->sentence().contains(QStringLiteral("a run"))) << "its name";
    EXPECT_EQ(spec().data.files, std::vector<std::string>{"/data/poems.txt"});
    EXPECT_EQ(engineArguments().find("--resume"), std::string::npos) << "never by itself";
    engineAnswers("{}");
    bannerButton("Resume that run")->click();
    ASSERT_TRUE(waitFor([&] { return engineArguments().find("--resume") != std::string::npos; }));
    EXPECT_NE(engineArguments().find(row(key).folder.toStdString()), std::string::npos) << engineArguments();
}

TEST_F(NewRunPageTest, AFinishedRunIsShownButNotResumed) {
    const QString key = addRun("done", JournalText().started("done").losses(1, 9).finished(9));
    m_page->openRunFile(row(key).folder + QStringLiteral("/run.json"));
    ASSERT_TRUE(waitFor([&] { return bannerButton("Show that run") != nullptr; }));
    EXPECT_EQ(bannerButton("Resume that run"), nullptr);
    QSignalSpy live(&m_navigator, &Navigator::liveRequested);
    bannerButton("Show that run")->click();
    ASSERT_EQ(live.size(), 1);
    EXPECT_EQ(live[0][0].toString(), key);
}

TEST_F(NewRunPageTest, ARunFileOfNoRunFillsTheFormAlone) {
    RunSpec other = presetSpec("light").value();
    other.training.steps = 55;
    const QString file = QString::fromStdString((m_folder.path() / "mine.json").string());
    ASSERT_TRUE(test::resultOf(writeRunFileLater(file, other)).sentence.isEmpty());
    m_page->openRunFile(file);
    ASSERT_TRUE(waitFor([&] { return spec().training.steps == 55; }));
    EXPECT_TRUE(banner()->sentence().contains(file));
    EXPECT_EQ(bannerButton("Resume that run"), nullptr);
    m_page->openRunFile(file + QStringLiteral(".not-there"));
    ASSERT_TRUE(waitFor([&] { return banner()->sentence().contains(QStringLiteral("not-there")); }));
    EXPECT_EQ(spec().training.steps, 55);
}

TEST_F(NewRunPageTest, SpeaksChineseTheOfferToo) {
    const QString key = addRun("poems", JournalText().started("poems").losses(1, 9));
    m_page->openRunFile(row(key).folder + QStringLiteral("/run.json"));
    ASSERT_TRUE(waitFor([&] { return bannerButton("Resume that run") != nullptr; }));
    const test::ChineseWords chinese;
    EXPECT_TRUE(test::isChinese(banner()->sentence())) << banner()->sentence().toStdString();
    for (const QPushButton* button : m_page->findChildren<QPushButton*>())
        if (!button->isHidden() && !button->text().isEmpty()) {
            EXPECT_TRUE(test::isChinese(button->text())) << button->text().toStdString();
        }
}

}  // namespace
}  // namespace unmask::ui
