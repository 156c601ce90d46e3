// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_controls.h"

#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class RunControlsTest : public test::PageFixture {
 protected:
    RunControlsTest() {
        openWith(JournalText().started().losses(1, 10));
        m_actions = std::make_unique<RunActions>(services());
        m_controls = std::make_unique<RunControls>(m_session.get(), m_actions.get());
    }
    QPushButton* button(const char* name) const {
        return m_controls->findChild<QPushButton*>(QLatin1String(name) + QStringLiteral("Button"));
    }
    QString progress() const { return m_controls->findChild<QLabel*>(QStringLiteral("commandProgress"))->text(); }
    void runIs(RunWord word) {
        m_engine.word = word;
        m_engine.state(10);
        ASSERT_TRUE(waitFor([&] { return m_session->status().word == word; })) << runWordName(word);
    }
    Command lastCommand(size_t count) {
        EXPECT_TRUE(waitFor([&] { return m_engine.commands().size() == count; }));
        return m_engine.commands().empty() ? Command{} : m_engine.commands().back();
    }

    std::unique_ptr<RunActions> m_actions;
    std::unique_ptr<RunControls> m_controls;
};

TEST_F(RunControlsTest, EachStateOffersWhatCanBeDoneInIt) {
    struct Expected {
        RunWord word;
        const char* first;
        bool pauses, checkpoints, stops, extends;
    };
    const Expected all[] = {
        {RunWord::running, "Pause", true, true, true, true},
        {RunWord::paused, "Resume", true, true, true, true},
        {RunWord::starting, "Pause", true, false, true, false},
        {RunWord::stalled, "Pause", true, false, true, true},
        {RunWord::interrupted, "Resume", true, false, false, true},
        {RunWord::failed, "Resume", true, false, false, true},
        {RunWord::stopped, "Resume", true, false, false, true},
        {RunWord::finished, "Resume", false, false, false, true},
        {RunWord::lost, "Resume", false, false, false, false},
    };
    for (const Expected& expected : all) {
        SCOPED_TRACE(std::string(runWordName(expected.word)));
        runIs(expected.word);
        EXPECT_EQ(button("pause")->text(), QLatin1String(expected.first));
        EXPECT_EQ(button("pause")->isEnabled(), expected.pauses);
        EXPECT_EQ(button("checkpoint")->isEnabled(), expected.checkpoints);
        EXPECT_EQ(button("stop")->isEnabled(), expected.stops);
        EXPECT_EQ(button("extend")->isEnabled(), expected.extends);
    }
}

TEST_F(RunControlsTest, WithoutARunNothingCanBePressed) {
    runIs(RunWord::running);
    m_session->close();
    RunControls fresh(m_session.get(), m_actions.get());
    for (const QPushButton* any : fresh.findChildren<QPushButton*>())
        EXPECT_FALSE(any->isEnabled()) << any->text().toStdString();
}

TEST_F(RunControlsTest, PauseBecomesResumeAndBothReachTheRun) {
    runIs(RunWord::running);
    button("pause")->click();
    EXPECT_EQ(lastCommand(1).kind, CommandKind::pause);
    runIs(RunWord::paused);
    button("pause")->click();
    EXPECT_EQ(lastCommand(2).kind, CommandKind::resume);
}

TEST_F(RunControlsTest, ARequestIsShownFromTheClickToTheAnswer) {
    runIs(RunWord::running);
    button("checkpoint")->click();
    const Command asked = lastCommand(1);
    EXPECT_EQ(asked.kind, CommandKind::checkpoint);
    EXPECT_TRUE(progress().contains(QStringLiteral("asked"))) << progress().toStdString();
    sayNew([&](JournalText& journal) { journal.add(8431, CommandEvent{asked.id, "checkpoint", true, ""}); });
    EXPECT_TRUE(waitFor([&] { return progress().contains(QStringLiteral("done at step 8,431")); }))
        << progress().toStdString();
    button("checkpoint")->click();
    const std::string second = lastCommand(2).id;
    sayNew([&](JournalText& journal) { journal.add(8432, CommandEvent{second, "checkpoint", false, "disk full"}); });
    EXPECT_TRUE(waitFor([&] { return progress().contains(QStringLiteral("disk full")); })) << progress().toStdString();
}

TEST_F(RunControlsTest, StopAsksFirstAndSendsWhatWasChosen) {
    runIs(RunWord::running);
    button("stop")->click();
    EXPECT_TRUE(m_engine.commands().empty());
    auto* without = m_controls->findChild<QPushButton*>(QStringLiteral("stopWithoutSaving"));
    ASSERT_TRUE(without);
    without->click();
    const Command stop = lastCommand(1);
    EXPECT_EQ(stop.kind, CommandKind::stop);
    EXPECT_FALSE(stop.saveFirst);
    runIs(RunWord::stopped);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    m_controls->openStopDialog();  // the shortcut does not look at the button
    EXPECT_FALSE(m_controls->findChild<QPushButton*>(QStringLiteral("stopAndSave")));
}

TEST_F(RunControlsTest, ALivingRunIsExtendedByItsOwnSetting) {
    runIs(RunWord::running);
    button("extend")->click();
    auto* question = m_controls->findChild<QInputDialog*>();
    ASSERT_TRUE(question);
    question->setIntValue(250);
    question->accept();
    const Command set = lastCommand(1);
    EXPECT_EQ(set.kind, CommandKind::set);
    EXPECT_EQ(set.setting, "training.steps");
    EXPECT_EQ(set.value.get<int64_t>(), 1250);  // of 1000
}

TEST_F(RunControlsTest, AnEndedRunIsResumedByTheEngineAndSaysSoMeanwhile) {
    runIs(RunWord::interrupted);
    engineAnswers("{}");
    QSignalSpy resumed(&m_navigator, &Navigator::runResumed);
    button("pause")->click();
    EXPECT_FALSE(button("pause")->isEnabled());
    EXPECT_FALSE(button("extend")->isEnabled());
    EXPECT_TRUE(progress().contains(QStringLiteral("Resuming"))) << progress().toStdString();
    ASSERT_TRUE(waitFor([&] { return !resumed.isEmpty(); }));
    EXPECT_TRUE(progress().isEmpty());
    EXPECT_TRUE(button("pause")->isEnabled());
    EXPECT_NE(engineArguments().find("start --resume --run " + m_session->row().folder.toStdString()),
              std::string::npos)
        << engineArguments();
    EXPECT_TRUE(m_engine.commands().empty());  // there is nobody to send one to
}

// People look at another run while the engine gets the first one ready.
TEST_F(RunControlsTest, AResumeOfOneRunHoldsUpNoOther) {
    const QString first = m_session->row().key;
    Q_EMIT m_actions->resuming(first, true);
    EXPECT_TRUE(progress().contains(QStringLiteral("Resuming")));
    m_engine.journal.clear();
    m_session->openFolder(
        test::writeRun(m_folder.path() / "runs", "other", JournalText().started("other").losses(1, 3)).path);
    ASSERT_TRUE(waitFor([&] { return m_session->isOpen() && m_session->row().key != first; }));
    runIs(RunWord::interrupted);
    EXPECT_TRUE(progress().isEmpty()) << progress().toStdString();
    EXPECT_TRUE(button("pause")->isEnabled());
    Q_EMIT m_actions->resuming(first, false);
    EXPECT_TRUE(button("pause")->isEnabled());
}

TEST_F(RunControlsTest, ButtonsAndTheLastRequestSpeakChinese) {
    runIs(RunWord::paused);
    button("checkpoint")->click();
    lastCommand(1);
    const test::ChineseWords chinese;
    for (const char* name : {"pause", "checkpoint", "stop", "extend"}) {
        EXPECT_TRUE(test::isChinese(button(name)->text())) << name;
        EXPECT_TRUE(test::isChinese(button(name)->toolTip())) << name;
    }
    EXPECT_TRUE(test::isChinese(progress())) << progress().toStdString();
}

}  // namespace
}  // namespace unmask::ui
