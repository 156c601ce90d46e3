// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/ssh_session.h"

#include <gtest/gtest.h>

#include "tests/ui/remote/local_sshd.h"
#include "tests/ui/support/wait_for.h"
#include "ui/remote/host_key.h"
#include "ui/remote/jump_pump.h"
#include "ui/remote/secret_text.h"
#include "ui/remote/ssh_login.h"
#include "ui/remote/ssh_thread.h"
#include "ui/remote/ssh_words.h"
#include "ui/remote/tcp_line.h"

namespace unmask::ui {
namespace {

using test::LocalSshd;
using test::waitFor;

class SshSessionTest : public testing::Test {
 protected:
    void SetUp() override {
        if (!LocalSshd::present())
            GTEST_SKIP() << "sshd is not installed";
        ASSERT_TRUE(m_sshd.start());
    }
    void open(const SshRoute& route, bool acceptHost = true, const QString& typed = {}) {
        m_done = m_opened = false;
        m_failure = {};
        m_session = std::make_unique<SshSession>(route, m_sshd.places, m_secrets);
        QObject::connect(m_session.get(), &SshSession::questionAsked, m_session.get(),
                         [=, this](const SshQuestion& question) {
                             m_questions.push_back(question);
                             auto answer = std::make_shared<SshAnswer>();
                             answer->accepted = question.kind != SshQuestion::Kind::hostKey || acceptHost;
                             for (size_t i = 0; i < question.prompts.size(); ++i)
                                 answer->texts.emplace_back(typed);
                             m_session->answer(question.id, answer);
                         });
        QObject::connect(m_session.get(), &SshSession::opened, m_session.get(), [this] { m_opened = m_done = true; });
        QObject::connect(m_session.get(), &SshSession::failed, m_session.get(), [this](const SshFailure& failure) {
            m_failure = failure;
            m_done = true;
        });
        m_session->open();
        ASSERT_TRUE(waitFor([this] { return m_done; }, 20000));
    }
    QByteArray outputOf(const QByteArray& command, int* code = nullptr) {
        QObject context;
        QByteArray output;
        bool ended = false;
        SshChannel* channel = m_session->exec(command, &context);
        QObject::connect(channel, &SshChannel::received, &context, [&](const QByteArray& bytes) { output += bytes; });
        QObject::connect(channel, &SshChannel::ended, &context, [&](const ChannelEnd& end) {
            ended = true;
            if (code)
                *code = end.exitCode;
        });
        EXPECT_TRUE(waitFor([&] { return ended; }, 20000));
        return output;
    }

    LocalSshd m_sshd;
    std::shared_ptr<SecretStore> m_secrets = std::make_shared<SecretStore>();
    std::unique_ptr<SshSession> m_session;
    std::vector<SshQuestion> m_questions;
    SshFailure m_failure;
    bool m_done = false;
    bool m_opened = false;
};

TEST_F(SshSessionTest, AnUnknownHostIsAskedForOnceAndCommandsRun) {
    open(m_sshd.route());
    ASSERT_TRUE(m_opened) << m_failure.sentence.toStdString();
    ASSERT_EQ(m_questions.size(), 1u);
    EXPECT_TRUE(m_questions[0].fingerprint.startsWith(QStringLiteral("SHA256:")));
    int code = 0;
    EXPECT_EQ(outputOf("echo hello; exit 7", &code), "hello\n");
    EXPECT_EQ(code, 7);
    EXPECT_EQ(outputOf("head -c 20000000 /dev/zero").size(), 20000000);
    open(m_sshd.route());
    EXPECT_TRUE(m_opened);
    EXPECT_EQ(m_questions.size(), 1u) << "it is known now";
}

TEST_F(SshSessionTest, ADeclinedHostIsNotRemembered) {
    open(m_sshd.route(), false);
    EXPECT_EQ(m_failure.fault, SshFault::hostKeyDeclined);
    EXPECT_FALSE(std::filesystem::exists(m_sshd.places.knownHosts));
}

TEST_F(SshSessionTest, ChangedOtherRevokedAndUnreadableAreRefusedWithoutAsking) {
    open(m_sshd.route());
    ASSERT_TRUE(m_opened);
    const std::string known = test::readBytes(m_sshd.places.knownHosts);
    test::writeBytes(m_sshd.places.knownHosts, known + "@revoked *" + known.substr(known.find(' ')));
    open(m_sshd.route());
    EXPECT_EQ(m_failure.fault, SshFault::hostKeyRevoked);
    test::writeBytes(m_sshd.places.knownHosts, known);
    m_sshd.stop();
    m_sshd.changeHostKey(QStringLiteral("ed25519"));
    ASSERT_TRUE(m_sshd.start());
    open(m_sshd.route());
    EXPECT_EQ(m_failure.fault, SshFault::hostKeyChanged) << m_failure.sentence.toStdString();
    m_sshd.stop();
    m_sshd.changeHostKey(QStringLiteral("ecdsa"));
    ASSERT_TRUE(m_sshd.start());
    open(m_sshd.route());
    EXPECT_EQ(m_failure.fault, SshFault::hostKeyOtherType) << m_failure.sentence.toStdString();
    std::filesystem::remove(m_sshd.places.knownHosts);
    std::filesystem::create_directory(m_sshd.places.knownHosts);
    open(m_sshd.route());
    EXPECT_EQ(m_failure.fault, SshFault::knownHostsUnreadable);
    EXPECT_EQ(m_questions.size(), 1u);
    EXPECT_FALSE(m_failure.mayRetry());
}

TEST_F(SshSessionTest, KeysAreUsedAsTheyShould) {
    m_sshd.makeKey("locked", QStringLiteral("ed25519"), QStringLiteral("canary-passphrase"));
    test::writeBytes(m_sshd.path("authorized"), test::readBytes(m_sshd.path("locked.pub")));
    open(m_sshd.route("locked"), true, QStringLiteral("wrong"));
    EXPECT_EQ(m_failure.fault, SshFault::loginDenied);
    EXPECT_FALSE(m_failure.sentence.contains(QStringLiteral("wrong\n")));
    open(m_sshd.route("locked"), true, QStringLiteral("canary-passphrase"));
    EXPECT_TRUE(m_opened) << m_failure.sentence.toStdString();
    const size_t asked = m_questions.size();
    open(m_sshd.route("locked"));
    EXPECT_TRUE(m_opened) << "the passphrase is still in memory";
    EXPECT_EQ(m_questions.size(), asked);
    std::filesystem::permissions(m_sshd.path("locked"), std::filesystem::perms{0644});
    open(m_sshd.route("locked"));
    EXPECT_EQ(m_failure.fault, SshFault::loginDenied);
    EXPECT_TRUE(m_failure.sentence.contains(QStringLiteral("chmod 600")));
}

TEST_F(SshSessionTest, AJumpHostLeadsOn) {
    SshRoute route = m_sshd.route();
    route.hops.push_back(route.hops[0]);
    open(route);
    ASSERT_TRUE(m_opened) << m_failure.sentence.toStdString();
    EXPECT_EQ(outputOf("head -c 3000000 /dev/zero").size(), 3000000);
}

TEST_F(SshSessionTest, EachStageIsNamedWhenItFails) {
    SshRoute route = m_sshd.route();
    route.hops[0].host = QStringLiteral("no-such-host.invalid");
    open(route);
    EXPECT_EQ(m_failure.step, SshStep::resolve);
    m_sshd.stop();
    open(m_sshd.route());
    EXPECT_EQ(m_failure.fault, SshFault::refused);
    QTcpServer other;
    ASSERT_TRUE(other.listen(QHostAddress::LocalHost));
    QObject::connect(&other, &QTcpServer::newConnection, &other,
                     [&] { other.nextPendingConnection()->write("HTTP/1.1 400 Bad Request\r\n"); });
    route = m_sshd.route();
    route.hops[0].port = other.serverPort();
    open(route);
    EXPECT_EQ(m_failure.fault, SshFault::notSsh);
    EXPECT_TRUE(m_failure.sentence.contains(QStringLiteral("HTTP/1.1")));
}

}  // namespace
}  // namespace unmask::ui
