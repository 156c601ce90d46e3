// SPDX-License-Identifier: Apache-2.0
// Store on disk + FakeEngine → one complete curve, whatever dies in between.
#include "ui/models/run_session.h"

#include <gtest/gtest.h>

#include "tests/support/temp_run.h"
#include "tests/ui/support/fake_engine.h"
#include "tests/ui/support/wait_for.h"

namespace unmask::ui {
namespace {

using test::FakeEngine;
using test::JournalText;
using test::resultOf;
using test::waitFor;

const QString kLoss = QStringLiteral("train/loss");

class RunSessionTest : public testing::Test {
 protected:
    RunSessionTest() {
        m_options.database = m_folder.path() / "history.sqlite";
        m_options.runsFolder = m_folder.path() / "runs";
        m_options.scan = false;
        m_journal.started().losses(1, 100);
        m_run = test::writeRun(m_options.runsFolder, "run", m_journal);
        m_engine.journal = m_journal.lines();
        openStudio();
    }
    void openStudio() {
        m_store = std::make_unique<RunStore>(m_options);
        m_store->open();
        m_session = std::make_unique<RunSession>(m_store.get(), [this](const RunRow&) { return m_engine.factory(); });
    }
    void closeStudio() {
        m_session.reset();
        m_store.reset();
    }
    void train(int64_t first, int64_t last) {
        const size_t before = m_journal.lines().size();
        m_journal.losses(first, last);
        for (size_t i = before; i < m_journal.lines().size(); ++i)
            m_engine.say(m_journal.lines()[i]);
    }
    bool waitForPoints(size_t count) {
        return waitFor([&] { return m_session->series().columns(kLoss).size() >= count; }) &&
               m_session->series().columns(kLoss).size() == count;
    }
    void expectWhole(size_t count) {
        const auto& steps = m_session->series().columns(kLoss).step;
        ASSERT_EQ(steps.size(), count);
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(steps[i], static_cast<double>(i + 1));
    }

    test::TempFolder m_folder;
    StoreOptions m_options;
    JournalText m_journal;
    RunFolder m_run;
    FakeEngine m_engine;
    std::unique_ptr<RunStore> m_store;
    std::unique_ptr<RunSession> m_session;
};

TEST_F(RunSessionTest, AFreshlyStartedRunComesWholeThroughTheLink) {
    int extended = 0;
    QObject::connect(m_session.get(), &RunSession::seriesExtended, m_session.get(), [&] { ++extended; });
    m_session->openFolder(m_run.path);
    ASSERT_TRUE(waitForPoints(100));
    train(101, 150);
    ASSERT_TRUE(waitForPoints(150));
    expectWhole(150);
    EXPECT_EQ(m_session->events().size(), 1u);
    ASSERT_TRUE(m_session->spec().has_value());
    EXPECT_TRUE(waitFor([&] { return extended > 0; }));
    EXPECT_LT(extended, 20) << "batched, not one signal a record";
    EXPECT_EQ(resultOf(m_store->series(QStringLiteral("run"), kLoss))->size(), 150u);
}

TEST_F(RunSessionTest, ReopenedTwentyTimesDuringARun) {
    m_session->openFolder(m_run.path);
    ASSERT_TRUE(waitForPoints(100));
    for (int64_t round = 0; round < 20; ++round) {
        const int64_t first = 101 + round * 10;
        if (round % 2 == 0)
            closeStudio();
        train(first, first + 9);
        if (!m_store) {
            openStudio();
            m_session->open(QStringLiteral("run"));
        }
        ASSERT_TRUE(waitForPoints(static_cast<size_t>(first + 9))) << round;
        expectWhole(static_cast<size_t>(first + 9));
    }
    EXPECT_EQ(resultOf(m_store->series(QStringLiteral("run"), kLoss))->size(), 300u);
}

TEST_F(RunSessionTest, HistoryFirstThenTheRestWithoutGapOrDouble) {
    resultOf(m_store->scanNow());
    train(101, 120);
    bool loadedBeforeLink = false;
    QObject::connect(m_session.get(), &RunSession::loaded, m_session.get(), [&] {
        loadedBeforeLink = m_session->series().columns(kLoss).size() == 100 && m_engine.connections() == 0;
    });
    m_session->open(QStringLiteral("run"));
    ASSERT_TRUE(waitForPoints(120));
    expectWhole(120);
    EXPECT_TRUE(loadedBeforeLink);
    EXPECT_EQ(m_engine.lastFrom(), 101);
}

TEST_F(RunSessionTest, AResumeReplacesTheTail) {
    m_session->openFolder(m_run.path);
    ASSERT_TRUE(waitForPoints(100));
    bool replaced = false;
    QObject::connect(m_session.get(), &RunSession::seriesReplaced, m_session.get(), [&] { replaced = true; });
    m_journal.resumed(60);
    m_engine.say(m_journal.lines().back());
    train(61, 130);
    ASSERT_TRUE(waitForPoints(130));
    EXPECT_TRUE(waitFor([&] { return replaced; }));
    expectWhole(130);
    EXPECT_EQ(m_session->series().superseded(kLoss).size(), 40u);
    EXPECT_EQ(m_session->events().size(), 2u);
}

TEST_F(RunSessionTest, AnotherHistoryReplacesEverything) {
    m_session->openFolder(m_run.path);
    ASSERT_TRUE(waitForPoints(100));
    JournalText other;
    other.losses(1, 30);
    bool events = false;
    QObject::connect(m_session.get(), &RunSession::eventsReplaced, m_session.get(), [&] { events = true; });
    m_engine.journal = other.lines();
    m_engine.die();
    ASSERT_TRUE(waitFor([&] { return m_session->linkStatus().word == LinkWord::reconnecting; }));
    m_session->link()->retryNow();
    // The old mark is beyond the new end, so it shows when some states have passed without the overlap.
    for (int i = 0; i < 4; ++i) {
        waitFor([] { return false; }, 30);
        m_engine.state(30);
    }
    ASSERT_TRUE(waitFor([&] { return m_session->series().columns(kLoss).size() == 30; }));
    EXPECT_TRUE(waitFor([&] { return events; }));
    EXPECT_TRUE(m_session->events().empty());
    EXPECT_EQ(resultOf(m_store->series(QStringLiteral("run"), kLoss))->size(), 30u);
}

TEST_F(RunSessionTest, StatesAndCommandsPassThrough) {
    m_session->openFolder(m_run.path);
    ASSERT_TRUE(waitFor([&] { return m_session->linkStatus().word == LinkWord::live; }));
    m_engine.word = RunWord::paused;
    m_engine.state(100);
    ASSERT_TRUE(waitFor([&] { return m_session->status().word == RunWord::paused; }));
    CommandProgress progress;
    QObject::connect(m_session.get(), &RunSession::commandChanged, m_session.get(),
                     [&](const CommandProgress& p) { progress = p; });
    Command command;
    command.kind = CommandKind::resume;
    EXPECT_FALSE(m_session->send(command).isEmpty());
    EXPECT_EQ(progress.phase, CommandPhase::asked);
}

TEST_F(RunSessionTest, WhatIsNoRunIsSaid) {
    QString sentence;
    QObject::connect(m_session.get(), &RunSession::failed, m_session.get(),
                     [&](const QString& text) { sentence = text; });
    m_session->openFolder(m_folder.path() / "nothing");
    EXPECT_TRUE(waitFor([&] { return !sentence.isEmpty(); }));
    sentence.clear();
    m_session->open(QStringLiteral("unknown"));
    EXPECT_TRUE(waitFor([&] { return !sentence.isEmpty(); }));
    EXPECT_FALSE(m_session->isOpen());
}

TEST_F(RunSessionTest, AnswersForAClosedRunAreVoid) {
    bool loaded = false;
    QObject::connect(m_session.get(), &RunSession::loaded, m_session.get(), [&] { loaded = true; });
    m_session->openFolder(m_run.path);
    m_session->close();
    waitFor([] { return false; }, 200);
    EXPECT_FALSE(loaded);
}

}  // namespace
}  // namespace unmask::ui
