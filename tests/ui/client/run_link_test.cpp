// SPDX-License-Identifier: Apache-2.0
// The link against a FakeEngine, back to back in one process.
#include "ui/client/run_link.h"

#include <gtest/gtest.h>

#include "tests/ui/support/fake_engine.h"
#include "tests/ui/support/wait_for.h"

namespace unmask::ui {
namespace {

using test::FakeEngine;
using test::JournalText;
using test::waitFor;

class RunLinkTest : public testing::Test {
 protected:
    RunLinkTest() : m_link(m_engine.factory()) {
        QObject::connect(&m_link, &RunLink::recordsReceived, &m_link, [this](const RecordBatchPtr& batch) {
            if (batch->fromStart) {
                m_seqs.clear();
                ++m_restarts;
            }
            EXPECT_LE(batch->afterSeq, m_seqs.empty() ? m_before : m_seqs.back());
            for (const EventRecord& record : batch->records)
                m_seqs.push_back(record.seq);
        });
        QObject::connect(&m_link, &RunLink::stateChanged, &m_link,
                         [this](const RunStatus& status) { m_state = status; });
        QObject::connect(&m_link, &RunLink::commandChanged, &m_link,
                         [this](const CommandProgress& progress) { m_progress = progress; });
    }
    bool waitForRecords(size_t count) {
        return waitFor([&] { return m_seqs.size() >= count; }) && m_seqs.size() == count;
    }
    bool waitForWord(LinkWord word) {
        return waitFor([&] { return m_link.status().word == word; });
    }

    FakeEngine m_engine;
    RunLink m_link;
    std::vector<int64_t> m_seqs;
    int64_t m_before = 0;
    int m_restarts = 0;
    RunStatus m_state;
    CommandProgress m_progress;
};

TEST_F(RunLinkTest, CatchesUpAndFollows) {
    JournalText journal;
    journal.started().losses(1, 5000);
    m_engine.journal = journal.lines();
    m_link.open({});
    ASSERT_TRUE(waitForRecords(5001));
    EXPECT_EQ(m_link.status().word, LinkWord::live);
    EXPECT_EQ(m_engine.lastFrom(), 0);
    journal.losses(5001, 5010);
    for (size_t i = 5001; i < journal.lines().size(); ++i)
        m_engine.say(journal.lines()[i]);
    ASSERT_TRUE(waitForRecords(5011));
    m_engine.state(5010);
    EXPECT_TRUE(waitFor([&] { return m_state.step == 5010; }));
    EXPECT_EQ(m_restarts, 0);
}

TEST_F(RunLinkTest, TwentyDeathsOfTheBridgeNeitherLoseNorDouble) {
    JournalText journal;
    journal.started();
    m_engine.journal = journal.lines();
    m_link.open({});
    ASSERT_TRUE(waitForRecords(1));
    for (int64_t round = 0; round < 20; ++round) {
        journal.losses(round * 7 + 1, round * 7 + 7);
        const size_t before = m_engine.journal.size();
        m_engine.say(journal.lines()[before]);
        m_engine.sayRaw(QByteArray::fromStdString(journal.lines()[before + 1]).left(30));  // torn by the death
        m_engine.journal = journal.lines();
        m_engine.die();
        ASSERT_TRUE(waitForWord(LinkWord::reconnecting));
        EXPECT_FALSE(m_link.status().detail.isEmpty());
        m_link.retryNow();
        ASSERT_TRUE(waitForRecords(journal.lines().size())) << round;
    }
    for (size_t i = 0; i < m_seqs.size(); ++i)
        EXPECT_EQ(m_seqs[i], static_cast<int64_t>(i + 1));
    EXPECT_EQ(m_engine.connections(), 21);
    EXPECT_EQ(m_restarts, 0);
}

TEST_F(RunLinkTest, ItComesBackByItself) {
    JournalText journal;
    journal.losses(1, 3);
    m_engine.journal = journal.lines();
    m_link.open({});
    ASSERT_TRUE(waitForRecords(3));
    m_engine.die();
    ASSERT_TRUE(waitForWord(LinkWord::reconnecting));
    EXPECT_GT(m_link.status().retryInMs, 700);
    EXPECT_LT(m_link.status().retryInMs, 1300);
    EXPECT_TRUE(waitForWord(LinkWord::live));
}

TEST_F(RunLinkTest, GoesOnAfterTheStoredMark) {
    JournalText journal;
    journal.losses(1, 10);
    m_engine.journal = journal.lines();
    m_before = 6;
    m_link.open({6, 1, statedCrc(journal.lines()[5])});
    ASSERT_TRUE(waitForRecords(4));
    EXPECT_EQ(m_seqs.front(), 7);
    EXPECT_EQ(m_engine.lastFrom(), 6);
}

TEST_F(RunLinkTest, AnotherHistoryIsReadFromItsBeginning) {
    JournalText journal;
    journal.started().losses(1, 20);
    m_engine.journal = journal.lines();
    m_before = 6;
    m_link.open({6, 1, 12345});
    ASSERT_TRUE(waitForRecords(21));
    EXPECT_EQ(m_restarts, 1);
    EXPECT_EQ(m_seqs.front(), 1);
}

TEST_F(RunLinkTest, CommandsAreAnsweredByTheJournal) {
    JournalText journal;
    journal.started();
    m_engine.journal = journal.lines();
    m_link.open({});
    ASSERT_TRUE(waitForWord(LinkWord::live));
    Command command;
    command.kind = CommandKind::pause;
    const QString id = m_link.send(command);
    EXPECT_EQ(m_progress.phase, CommandPhase::asked);
    ASSERT_EQ(m_engine.commands().size(), 1u);
    EXPECT_EQ(m_engine.commands()[0].id, id.toStdString());
    journal.add(42, CommandEvent{id.toStdString(), "pause", true, "paused"});
    m_engine.say(journal.lines().back());
    ASSERT_TRUE(waitFor([&] { return m_progress.phase == CommandPhase::done; }));
    EXPECT_EQ(m_progress.step, 42);
    EXPECT_EQ(m_progress.detail, QStringLiteral("paused"));
}

TEST_F(RunLinkTest, AnOpenCommandIsSentAgainAfterTheLinkWasCut) {
    m_link.open({});
    ASSERT_TRUE(waitForWord(LinkWord::live));
    m_engine.die();
    ASSERT_TRUE(waitForWord(LinkWord::reconnecting));
    Command command;
    command.kind = CommandKind::stop;
    m_link.send(command);
    EXPECT_TRUE(m_engine.commands().empty());
    m_link.retryNow();
    ASSERT_TRUE(waitFor([&] { return m_engine.commands().size() == 1; }));
    EXPECT_EQ(m_engine.commands()[0].kind, CommandKind::stop);
}

TEST_F(RunLinkTest, UndeliverableIsSaid) {
    m_link.open({});
    ASSERT_TRUE(waitForWord(LinkWord::live));
    Command command;
    command.id = "c1";
    m_link.send(command);
    m_engine.sayRaw("{\"bridge\":\"answer\",\"id\":\"c1\",\"accepted\":false,\"detail\":\"the run is not running\"}\n");
    ASSERT_TRUE(waitFor([&] { return m_progress.phase == CommandPhase::refused; }));
    EXPECT_EQ(m_progress.detail, QStringLiteral("the run is not running"));
}

TEST_F(RunLinkTest, AnEndedRunEndsTheLink) {
    JournalText journal;
    journal.losses(1, 3).finished(3);
    m_engine.journal = journal.lines();
    m_link.open({});
    ASSERT_TRUE(waitForRecords(4));
    m_engine.end();
    EXPECT_TRUE(waitForWord(LinkWord::ended));
    EXPECT_EQ(m_engine.connections(), 1);
}

TEST_F(RunLinkTest, ANewerProtocolIsRefusedInWords) {
    m_engine.protocol = 99;
    m_link.open({});
    EXPECT_TRUE(waitForWord(LinkWord::refused));
    EXPECT_TRUE(m_link.status().detail.contains(QStringLiteral("99")));
}

TEST_F(RunLinkTest, CloseIsFinal) {
    m_link.open({});
    ASSERT_TRUE(waitForWord(LinkWord::live));
    m_link.close();
    EXPECT_EQ(m_link.status().word, LinkWord::idle);
    m_engine.die();
    waitFor([] { return false; }, 50);
    EXPECT_EQ(m_link.status().word, LinkWord::idle);
}

}  // namespace
}  // namespace unmask::ui
