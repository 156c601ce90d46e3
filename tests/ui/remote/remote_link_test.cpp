// SPDX-License-Identifier: Apache-2.0
// A real run followed through a real sshd, over a line that is cut, stalled and slowed down.
#include "ui/remote/remote_link.h"

#include <sys/stat.h>

#include <random>

#include "engine/journal/event_reader.h"
#include "tests/ui/remote/cutting_proxy.h"
#include "tests/ui/remote/remote_fixture.h"
#include "tests/ui/remote/remote_run.h"
#include "ui/client/run_link.h"
#include "ui/remote/server_link.h"

#ifndef UNMASK_LINK_CUTS
#define UNMASK_LINK_CUTS 12
#endif

namespace unmask::ui {
namespace {

using test::CuttingProxy;
using test::waitFor;

class RemoteLinkTest : public test::RemoteTest {
 protected:
    void SetUp() override {
        RemoteTest::SetUp();
        if (IsSkipped())
            return;
        if (!test::canTrain())
            GTEST_SKIP() << "unmask-engine and unmask-worker are not built";
        openSession();
        m_session.reset();
        m_proxy = std::make_unique<CuttingProxy>(m_sshd.port);
        ASSERT_TRUE(m_proxy->good());
        SshRoute route = m_sshd.route();
        route.hops[0].port = m_proxy->port;
        m_server = std::make_unique<ServerLink>(route, m_sshd.places, m_secrets);
        QObject::connect(m_server.get(), &ServerLink::questionAsked, m_server.get(), [this](const SshQuestion& asked) {
            auto answer = std::make_shared<SshAnswer>();
            answer->accepted = true;
            m_server->answer(asked.id, answer);
        });
    }
    void TearDown() override {
        m_link.reset();
        if (m_started && !m_run.empty())
            command({QStringLiteral("command"), QString::fromStdString(m_run.string()), QStringLiteral("stop")});
    }
    static QByteArray command(const QStringList& words) {
        QProcess engine;
        engine.start(test::builtEngine(), words);
        engine.waitForFinished(60000);
        return engine.readAllStandardOutput() + engine.readAllStandardError();
    }
    void begin(int steps) {
        m_run = m_sshd.path("home") / "läufe" / "it's a run";
        std::filesystem::create_directories(m_run.parent_path());
        const QByteArray said = command(test::tinyRun(m_run, steps));
        ASSERT_TRUE(said.contains("\"pid\"")) << said.toStdString();
    }
    void follow() {
        RemoteRun run{test::builtEngine(), QString::fromStdString(m_run.string()), {}};
        m_link = std::make_unique<RunLink>(remoteFactory(m_server.get(), run));
        QObject::connect(m_link.get(), &RunLink::recordsReceived, m_link.get(), [this](const RecordBatchPtr& batch) {
            m_restarts += batch->fromStart && !m_seqs.empty() ? 1 : 0;
            for (const EventRecord& record : batch->records)
                m_seqs.push_back(record.seq);
        });
        QObject::connect(m_link.get(), &RunLink::commandChanged, m_link.get(),
                         [this](const CommandProgress& progress) { m_progress = progress; });
        m_link->open({});
    }
    bool waitForWord(LinkWord word, int ms = 30000) {
        return waitFor([&] { return m_link->status().word == word; }, ms);
    }
    void expectEachRecordOnce() {
        for (size_t i = 0; i < m_seqs.size(); ++i)
            ASSERT_EQ(m_seqs[i], static_cast<int64_t>(i + 1));
        EXPECT_EQ(m_restarts, 0);
        EventReader reader(RunFolder{m_run});
        size_t written = 0;
        for (auto records = reader.readRecords(1); !records.empty(); records = reader.readRecords(written + 1))
            written += records.size();
        EXPECT_EQ(m_seqs.size(), written);
    }

    std::unique_ptr<CuttingProxy> m_proxy;
    std::unique_ptr<ServerLink> m_server;
    std::filesystem::path m_run;
    std::unique_ptr<RunLink> m_link;
    std::vector<int64_t> m_seqs;
    int m_restarts = 0;
    CommandProgress m_progress;
};

TEST_F(RemoteLinkTest, CutsLoseAndDoubleNothingAndTheRunNeverStops) {
    begin(4000000);
    follow();
    ASSERT_TRUE(waitForWord(LinkWord::live)) << m_link->status().detail.toStdString();
    std::mt19937 random(11);
    qint64 slowest = 0;
    for (int cut = 0; cut < UNMASK_LINK_CUTS; ++cut) {
        const size_t before = m_seqs.size();
        ASSERT_TRUE(waitFor([&] { return m_seqs.size() > before; })) << "the run goes on";
        if (cut % 3 == 0)
            m_proxy->cut();
        else
            m_proxy->cutAfter(static_cast<qint64>(random() % 20000) + 1);  // in the middle of a frame
        ASSERT_TRUE(waitForWord(LinkWord::reconnecting)) << cut;
        EXPECT_FALSE(m_link->status().detail.isEmpty());
        m_proxy->cutAfter(-1);
        m_proxy->setRefusing(cut % 4 == 1);
        waitFor([] { return false; }, static_cast<int>(random() % 1500));
        m_proxy->setRefusing(false);
        QElapsedTimer back;
        back.start();
        ASSERT_TRUE(waitForWord(LinkWord::live)) << m_link->status().detail.toStdString();
        slowest = std::max(slowest, back.elapsed());
    }
    EXPECT_LT(slowest, 10000);
    Command stop;
    stop.kind = CommandKind::stop;
    m_link->send(stop);
    ASSERT_TRUE(waitForWord(LinkWord::ended, 60000)) << m_link->status().detail.toStdString();
    EXPECT_EQ(m_progress.phase, CommandPhase::done);
    expectEachRecordOnce();
    RecordProperty("slowest_return_ms", static_cast<int>(slowest));
    std::printf("%zu records, %d cuts, slowest return %lld ms, %d sessions\n", m_seqs.size(), m_proxy->cuts(),
                static_cast<long long>(slowest), m_server->sessions());
}

TEST_F(RemoteLinkTest, AStalledLineIsTakenUpWhereItEnded) {
    begin(4000000);
    follow();
    ASSERT_TRUE(waitForWord(LinkWord::live));
    m_proxy->setStalled(true);
    waitFor([] { return false; }, 3000);
    const size_t before = m_seqs.size();
    m_proxy->setStalled(false);
    EXPECT_TRUE(waitFor([&] { return m_seqs.size() > before; }));
    EXPECT_EQ(m_link->status().word, LinkWord::live) << "a short one is not even noticed";
    m_proxy->setStalled(true);
    ASSERT_TRUE(waitForWord(LinkWord::reconnecting, 40000));
    m_proxy->cut();  // as a router that has forgotten the line
    m_proxy->setStalled(false);
    ASSERT_TRUE(waitForWord(LinkWord::live));
    EXPECT_GE(m_server->sessions(), 2);
    m_proxy->setRate(200 << 10);  // less than the run says
    waitFor([] { return false; }, 2000);
    EXPECT_EQ(m_link->status().word, LinkWord::live);
    m_proxy->setRate(0);
    Command stop;
    stop.kind = CommandKind::stop;
    m_link->send(stop);
    ASSERT_TRUE(waitForWord(LinkWord::ended, 90000)) << m_link->status().detail.toStdString();
    expectEachRecordOnce();
}

TEST_F(RemoteLinkTest, WhatIsMissingThereIsSaid) {
    m_run = m_sshd.path("home") / "none";
    follow();
    ASSERT_TRUE(waitForWord(LinkWord::reconnecting));
    EXPECT_TRUE(m_link->status().detail.contains(QStringLiteral("none"))) << m_link->status().detail.toStdString();
    m_link = std::make_unique<RunLink>(remoteFactory(m_server.get(), {QStringLiteral("~/no/engine"), {}, {}}));
    m_link->open({});
    ASSERT_TRUE(waitForWord(LinkWord::reconnecting));
    EXPECT_TRUE(m_link->status().detail.contains(QStringLiteral("no/engine"))) << m_link->status().detail.toStdString();
    m_run.clear();
}

TEST_F(RemoteLinkTest, ARefusedLoginIsNotTriedAgainByItself) {
    test::writeBytes(m_sshd.path("authorized"), "");
    SshFailure failure;
    int failures = 0;
    QObject::connect(m_server.get(), &ServerLink::failed, m_server.get(), [&](const SshFailure& why) {
        failure = why;
        ++failures;
    });
    m_run = m_sshd.path("home") / "run";
    follow();
    ASSERT_TRUE(waitForWord(LinkWord::reconnecting));
    EXPECT_EQ(failure.fault, SshFault::loginDenied);
    m_link->retryNow();
    ASSERT_TRUE(waitFor([&] { return failures == 2; }));
    EXPECT_EQ(m_server->sessions(), 1) << "the server was not asked";
    test::writeBytes(m_sshd.path("authorized"), test::readBytes(m_sshd.path("client.pub")));
    m_server->tryAgain();
    EXPECT_TRUE(waitFor([&] { return m_server->isOpen(); }));
    m_run.clear();
}

}  // namespace
}  // namespace unmask::ui
