// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_actions.h"

#include <QInputDialog>
#include <QMenu>
#include <QSignalSpy>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class RunActionsTest : public test::PageFixture {
 protected:
    RunActionsTest() {
        openStore();
        m_key = addRun("poems", JournalText().started("poems").losses(1, 10));
        m_actions = std::make_unique<RunActions>(services());
        QObject::connect(&m_navigator, &Navigator::newRunRequested, &m_navigator,
                         [this](const FormSeed& seed) { m_seeds.push_back(seed); });
        QObject::connect(&m_navigator, &Navigator::messageRequested, &m_navigator,
                         [this](BannerKind kind, const QString& sentence) {
                             m_messageKind = kind;
                             m_message = sentence;
                         });
    }
    RunRow run() const { return row(m_key); }
    RunRow runWith(RunWord word) const {
        RunRow changed = run();
        changed.status.word = word;
        return changed;
    }
    // Answers the question that just came up.
    void answer(const QString& text) {
        auto* dialog = m_window.findChild<QInputDialog*>();
        ASSERT_TRUE(dialog);
        dialog->setTextValue(text);
        dialog->accept();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    QAction* entry(QMenu& menu, const char* text) const {
        for (QAction* action : menu.actions())
            if (action->text() == QString::fromUtf8(text))
                return action;
        return nullptr;
    }

    QString m_key;
    QWidget m_window;
    std::unique_ptr<RunActions> m_actions;
    std::vector<FormSeed> m_seeds;
    BannerKind m_messageKind = BannerKind::info;
    QString m_message;
};

TEST_F(RunActionsTest, OnlyRunsThatEndedEarlyMayBeResumed) {
    for (const RunWord word : {RunWord::interrupted, RunWord::failed, RunWord::stopped})
        EXPECT_TRUE(RunActions::mayResume(runWith(word))) << runWordName(word);
    for (const RunWord word :
         {RunWord::starting, RunWord::running, RunWord::paused, RunWord::stalled, RunWord::lost, RunWord::finished})
        EXPECT_FALSE(RunActions::mayResume(runWith(word))) << runWordName(word);
}

TEST_F(RunActionsTest, AResumeCallsTheEngineOnTheRunsFolderAndLeadsToLive) {
    engineAnswers("{}");
    QSignalSpy resuming(m_actions.get(), &RunActions::resuming);
    QSignalSpy live(&m_navigator, &Navigator::liveRequested);
    m_actions->resume(run());
    ASSERT_EQ(resuming.size(), 1);
    EXPECT_TRUE(resuming[0][1].toBool());
    ASSERT_TRUE(waitFor([&] { return resuming.size() == 2; }));
    EXPECT_FALSE(resuming[1][1].toBool());
    EXPECT_EQ(engineArguments(), "start --resume --run " + run().folder.toStdString() + " --json\n");
    ASSERT_EQ(live.size(), 1);
    EXPECT_EQ(live[0][0].toString(), m_key);
    EXPECT_TRUE(m_message.isEmpty());
}

TEST_F(RunActionsTest, ARefusedResumeGivesTheEnginesSentenceAndStaysHere) {
    engineAnswers("", "unmask-engine: no checkpoint can be read", 4);
    QSignalSpy live(&m_navigator, &Navigator::liveRequested);
    QSignalSpy resuming(m_actions.get(), &RunActions::resuming);
    m_actions->resume(run());
    ASSERT_TRUE(waitFor([&] { return !m_message.isEmpty(); }));
    EXPECT_EQ(m_messageKind, BannerKind::danger);
    EXPECT_TRUE(m_message.contains(run().name)) << m_message.toStdString();
    EXPECT_TRUE(m_message.contains(QStringLiteral("no checkpoint can be read"))) << m_message.toStdString();
    EXPECT_EQ(resuming.size(), 2);
    EXPECT_TRUE(live.isEmpty());
}

TEST_F(RunActionsTest, ExtendResumesWithTheStepsAddedToThePlan) {
    engineAnswers("{}");
    RunRow stopped = runWith(RunWord::stopped);
    stopped.status.totalSteps = 1000;
    m_actions->extend(stopped, &m_window);
    auto* question = m_window.findChild<QInputDialog*>();
    ASSERT_TRUE(question);
    question->setIntValue(500);
    question->accept();
    ASSERT_TRUE(waitFor([&] { return !engineArguments().empty(); }));
    EXPECT_NE(engineArguments().find("--set training.steps=1500"), std::string::npos) << engineArguments();
}

TEST_F(RunActionsTest, AgainKeepsTheSettingsButTheSeed) {
    RunDescription description = test::describeRun("named");
    description.spec.launch.name = "a name of its own";
    const RunFolder folder{m_folder.path() / "runs" / "named"};
    createRunFolder(folder, description);
    m_key = test::resultOf(m_store->addFolder(folder.path));
    ASSERT_TRUE(waitFor([&] { return m_runs.find(m_key) != nullptr; }));
    m_actions->newFrom(run());
    ASSERT_TRUE(waitFor([&] { return m_seeds.size() == 1; }));
    m_actions->runAgain(run());
    ASSERT_TRUE(waitFor([&] { return m_seeds.size() == 2; }));
    const RunSpec& written = description.spec;
    EXPECT_EQ(m_seeds[0].spec.data.files, written.data.files);
    EXPECT_EQ(m_seeds[0].spec.training.seed, written.training.seed);
    EXPECT_EQ(m_seeds[1].spec.data.files, written.data.files);
    EXPECT_NE(m_seeds[1].spec.training.seed, written.training.seed);
    for (const FormSeed& seed : m_seeds) {
        EXPECT_TRUE(seed.spec.launch.name.empty());  // two runs of one name would be hard to tell apart
        EXPECT_TRUE(seed.origin.contains(run().name)) << seed.origin.toStdString();
    }
}

TEST_F(RunActionsTest, SettingsThatCannotBeReadAreAMessageAndNoForm) {
    RunRow unknown = run();
    unknown.key = QStringLiteral("never-heard-of");
    m_actions->newFrom(unknown);
    ASSERT_TRUE(waitFor([&] { return !m_message.isEmpty(); }));
    EXPECT_EQ(m_messageKind, BannerKind::warning);
    EXPECT_TRUE(m_seeds.empty());
}

TEST_F(RunActionsTest, NamesTagsAndNotesComeBackFromTheHistory) {
    m_actions->rename(run(), &m_window);
    answer(QStringLiteral("  诗歌 6×512 "));
    EXPECT_TRUE(waitFor([&] { return run().name == QStringLiteral("诗歌 6×512"); })) << run().name.toStdString();
    m_actions->rename(run(), &m_window);
    answer(QStringLiteral("   "));  // no name of its own any more
    EXPECT_TRUE(waitFor([&] { return run().name == QStringLiteral("a run"); })) << run().name.toStdString();
    m_actions->editTags(run(), &m_window);
    answer(QStringLiteral("zh  small zh"));
    EXPECT_TRUE(waitFor([&] {
        return run().tags == QStringList({QStringLiteral("zh"), QStringLiteral("small")});
    })) << run().tags.join(u'|').toStdString();
    m_actions->setNote(run(), QStringLiteral("lower rate"));
    EXPECT_TRUE(waitFor([&] { return run().note == QStringLiteral("lower rate"); }));
}

TEST_F(RunActionsTest, ForgettingTakesTheRowAndLeavesTheFolder) {
    const std::filesystem::path folder = run().folder.toStdString();
    m_actions->forget(run());
    ASSERT_TRUE(waitFor([&] { return m_runs.find(m_key) == nullptr; }));
    EXPECT_TRUE(std::filesystem::exists(folder / "run.json"));
}

TEST_F(RunActionsTest, TheMenuOffersWhatTheStateAllows) {
    struct Expected {
        RunWord word;
        bool resumes, extends;
    };
    for (const Expected& expected : {Expected{RunWord::running, false, false},
                                     {RunWord::stopped, true, true},
                                     {RunWord::finished, false, true},
                                     {RunWord::lost, false, false}}) {
        QMenu menu;
        m_actions->fillMenu(menu, {runWith(expected.word)}, &m_window);
        ASSERT_TRUE(entry(menu, "Resume") && entry(menu, "Extend…"));
        EXPECT_EQ(entry(menu, "Resume")->isEnabled(), expected.resumes) << runWordName(expected.word);
        EXPECT_EQ(entry(menu, "Extend…")->isEnabled(), expected.extends) << runWordName(expected.word);
    }
}

TEST_F(RunActionsTest, SeveralRunsCanOnlyBeCompared) {
    QSignalSpy compared(&m_navigator, &Navigator::compareRequested);
    QMenu none, menu;
    m_actions->fillMenu(none, {}, &m_window);
    EXPECT_TRUE(none.isEmpty());
    RunRow second = run();
    second.key = QStringLiteral("other");
    m_actions->fillMenu(menu, {run(), second}, &m_window);
    ASSERT_EQ(menu.actions().size(), 1);
    menu.actions().first()->trigger();
    ASSERT_EQ(compared.size(), 1);
    EXPECT_EQ(compared[0][0].toStringList(), QStringList({m_key, second.key}));
    const test::ChineseWords chinese;
    QMenu translated;
    m_actions->fillMenu(translated, {run()}, &m_window);
    for (const QAction* action : translated.actions())
        EXPECT_TRUE(action->isSeparator() || test::isChinese(action->text())) << action->text().toStdString();
}

}  // namespace
}  // namespace unmask::ui
