// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/ssh_login.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/ui/remote/local_sshd.h"
#include "tests/ui/remote/password_server.h"
#include "tests/ui/support/wait_for.h"
#include "ui/remote/server_list.h"
#include "ui/remote/ssh_session.h"

namespace unmask::ui {
namespace {

using test::LoginRules;
using test::PasswordServer;
using test::waitFor;

QString u(const char* text) {
    return QString::fromUtf8(text);
}

class SshLoginTest : public testing::Test {
 protected:
    void SetUp() override {
        if (!test::LocalSshd::present())
            GTEST_SKIP() << "OpenSSH is not installed";
    }
    SshRoute route(int port) const {
        SshRoute route;
        SshHop hop;
        hop.host = u("127.0.0.1");
        hop.user = u("ann");
        hop.port = port;
        route.hops.push_back(hop);
        return route;
    }
    // Takes the next of `typed` for each hidden prompt; cancels where none is left.
    void open(const SshRoute& way, SshTimes times = {}) {
        m_opened = m_done = false;
        m_failure = {};
        m_session = std::make_unique<SshSession>(way, m_files.places, m_secrets, times);
        QObject::connect(m_session.get(), &SshSession::questionAsked, m_session.get(),
                         [this](const SshQuestion& asked) {
                             m_questions.push_back(asked);
                             auto answer = std::make_shared<SshAnswer>();
                             answer->accepted = true;
                             for (size_t i = 0; i < asked.prompts.size(); ++i) {
                                 answer->accepted = answer->accepted && !m_typed.isEmpty();
                                 answer->texts.emplace_back(m_typed.isEmpty() ? QString() : m_typed.takeFirst());
                             }
                             m_session->answer(asked.id, answer);
                         });
        QObject::connect(m_session.get(), &SshSession::opened, m_session.get(), [this] { m_opened = m_done = true; });
        QObject::connect(m_session.get(), &SshSession::failed, m_session.get(), [this](const SshFailure& failure) {
            m_failure = failure;
            m_done = true;
        });
        m_session->open();
        ASSERT_TRUE(waitFor([this] { return m_done; }, 20000));
    }
    size_t asked(SshQuestion::Kind kind) const {
        return static_cast<size_t>(std::count_if(m_questions.begin(), m_questions.end(),
                                                 [&](const SshQuestion& one) { return one.kind == kind; }));
    }
    QByteArray said() {
        QObject context;
        QByteArray output;
        bool ended = false;
        SshChannel* channel = m_session->exec("anything", &context);
        QObject::connect(channel, &SshChannel::received, &context, [&](const QByteArray& bytes) { output += bytes; });
        QObject::connect(channel, &SshChannel::ended, &context, [&] { ended = true; });
        EXPECT_TRUE(waitFor([&] { return ended; }));
        return output;
    }

    test::LocalSshd m_files;  // its keys and places; it is not started
    std::shared_ptr<SecretStore> m_secrets = std::make_shared<SecretStore>();
    std::unique_ptr<SshSession> m_session;
    std::vector<SshQuestion> m_questions;
    QStringList m_typed;
    SshFailure m_failure;
    bool m_done = false;
    bool m_opened = false;
};

TEST_F(SshLoginTest, APasswordIsAskedForAgainAndKeptInMemory) {
    PasswordServer server(m_files.path("host"), {"right one", {}, false, {}, "Authorized use only\r\n\033[2J"});
    ASSERT_TRUE(server.listens());
    m_typed = {u("wrong one"), u("right one")};
    open(route(server.port));
    ASSERT_TRUE(m_opened) << m_failure.sentence.toStdString();
    EXPECT_EQ(said(), "in\n");
    EXPECT_EQ(asked(SshQuestion::Kind::password), 2u);
    EXPECT_FALSE(m_questions.back().prompts[0].echo);
    m_session.reset();
    open(route(server.port));
    EXPECT_TRUE(m_opened);
    EXPECT_EQ(asked(SshQuestion::Kind::password), 2u) << "it is known for as long as the studio runs";
    EXPECT_EQ(server.refused, 1);
}

TEST_F(SshLoginTest, WrongPasswordsEndInASentenceThatDoesNotHoldThem) {
    PasswordServer server(m_files.path("host"), {"right", {}, false, {}, {}});
    m_typed = {u("canary1"), u("canary2"), u("canary3"), u("canary4")};
    open(route(server.port));
    EXPECT_EQ(m_failure.fault, SshFault::loginDenied);
    EXPECT_EQ(m_failure.step, SshStep::login);
    EXPECT_FALSE(m_failure.mayRetry());
    EXPECT_EQ(server.refused, 3);
    EXPECT_FALSE(m_failure.sentence.contains(u("canary"))) << m_failure.sentence.toStdString();
}

TEST_F(SshLoginTest, QuestionsAreShownAsTheServerAsksThem) {
    PasswordServer server(
        m_files.path("host"),
        {{}, {{"Your token: ", true, "123"}, {"Secret: ", false, "abc"}}, false, "Have it ready", {}});
    m_typed = {u("123"), u("no"), u("123"), u("abc")};
    open(route(server.port));
    ASSERT_TRUE(m_opened) << m_failure.sentence.toStdString();
    EXPECT_EQ(asked(SshQuestion::Kind::prompts), 2u);
    const SshQuestion& question = m_questions.back();
    EXPECT_EQ(question.text, u("Have it ready"));
    ASSERT_EQ(question.prompts.size(), 2u);
    EXPECT_EQ(question.prompts[0].text, u("Your token: "));
    EXPECT_TRUE(question.prompts[0].echo);
    EXPECT_FALSE(question.prompts[1].echo);
}

TEST_F(SshLoginTest, ASecondFactorFollowsThePassword) {
    {
        PasswordServer server(m_files.path("host"), {"pw", {{"Code: ", false, "777"}}, true, {}, {}});
        m_typed = {u("pw"), u("777")};
        open(route(server.port));
        ASSERT_TRUE(m_opened) << m_failure.sentence.toStdString();
        EXPECT_EQ(server.logins, 1);
        m_session.reset();
    }
    PasswordServer later(m_files.path("host"), {"pw", {{"Code: ", false, "888"}}, true, {}, {}});
    m_typed = {u("888")};
    open(route(later.port));
    EXPECT_TRUE(m_opened) << "the password is remembered, and a code that has passed is asked for anew: "
                          << m_failure.sentence.toStdString();
    EXPECT_EQ(later.refused, 1);
}

TEST_F(SshLoginTest, CancellingIsNotAFailureToTryAgain) {
    PasswordServer server(m_files.path("host"), {"pw", {}, false, {}, {}});
    open(route(server.port));
    EXPECT_EQ(m_failure.fault, SshFault::loginCancelled);
    EXPECT_FALSE(m_failure.mayRetry());
}

TEST_F(SshLoginTest, SilenceAndNonsenseAreNamedByTheirStage) {
    const SshTimes hasty{1000, 30000, 90000};
    QTcpServer other;
    ASSERT_TRUE(other.listen(QHostAddress::LocalHost));
    QByteArray greeting;
    bool hangsUp = false;
    QObject::connect(&other, &QTcpServer::newConnection, &other, [&] {
        QTcpSocket* socket = other.nextPendingConnection();
        socket->write(greeting);
        if (hangsUp)
            socket->disconnectFromHost();
    });
    open(route(other.serverPort()), hasty);
    EXPECT_EQ(m_failure.fault, SshFault::timedOut) << "it says nothing";
    EXPECT_EQ(m_failure.step, SshStep::greet);
    greeting = "SSH-2.0-OpenSSH_9.2\r\n";
    open(route(other.serverPort()), hasty);
    EXPECT_EQ(m_failure.fault, SshFault::negotiation) << "it greets and says nothing more";
    greeting = "SSH-2.0-OpenSSH_9.2\r\n" + QByteArray(5000, '\xfe');
    open(route(other.serverPort()), hasty);
    EXPECT_EQ(m_failure.fault, SshFault::negotiation) << "it greets and sends noise";
    greeting = "SSH-1.5-old\r\n";
    open(route(other.serverPort()), hasty);
    EXPECT_EQ(m_failure.step, SshStep::greet) << "it speaks a version nobody should";
    greeting.clear();
    hangsUp = true;
    open(route(other.serverPort()), hasty);
    EXPECT_EQ(m_failure.fault, SshFault::lost) << "it hangs up at once";
}

TEST_F(SshLoginTest, TheStudioCanBeClosedWhileALoginWaits) {
    PasswordServer server(m_files.path("host"), {"pw", {}, false, {}, {}});
    SshSession session(route(server.port), m_files.places, m_secrets);
    bool asked = false;
    QObject::connect(&session, &SshSession::questionAsked, &session, [&](const SshQuestion& question) {
        if (question.kind == SshQuestion::Kind::password) {
            asked = true;
            return;
        }
        auto answer = std::make_shared<SshAnswer>();
        answer->accepted = true;
        session.answer(question.id, answer);
    });
    session.open();
    EXPECT_TRUE(waitFor([&] { return asked; }));  // and nobody answers
}

// Every place where a secret could leak to: what is logged, files, and arguments and environment of all processes.
QByteArray s_logged;

std::string placesOf(const std::string& canary, const std::filesystem::path& folder) {
    std::string found;
    const auto look = [&](const std::filesystem::path& file) {
        std::ifstream stream(file, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
        if (bytes.find(canary) != std::string::npos)
            found += file.string() + ' ';
    };
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error))
        if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string()[0]))) {
            look(entry.path() / "cmdline");
            look(entry.path() / "environ");
        }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error))
        if (entry.is_regular_file())
            look(entry.path());
    return found;
}

TEST_F(SshLoginTest, NoSecretIsLeftAnywhere) {
    const std::string canary = "canary-5e1f0c9b77d24a";
    const QString typed = QString::fromStdString(canary);
    s_logged.clear();
    const auto before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString& text) { s_logged += text.toUtf8() + '\n'; });
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    PasswordServer server(m_files.path("host"), {canary, {{"Code: ", false, canary}}, true, {}, {}});
    m_typed = {typed, typed};
    open(route(server.port));
    EXPECT_TRUE(m_opened) << m_failure.sentence.toStdString();
    ServerList list(m_files.path("servers.json"));
    ServerEntry entry;
    entry.name = u("lab");
    entry.address = {u("127.0.0.1"), u("ann"), server.port, {}, {}};
    list.put(entry);
    list.flush();
    EXPECT_EQ(said(), "in\n");
    EXPECT_EQ(placesOf(canary, m_files.path("")), "");
    m_typed = {u("wrong"), typed, typed};
    m_secrets = std::make_shared<SecretStore>();
    open(route(server.port));
    for (const SshQuestion& question : m_questions)
        EXPECT_FALSE((question.text + question.title).contains(typed));
    EXPECT_FALSE(m_failure.sentence.contains(typed));
    m_session.reset();
    EXPECT_EQ(placesOf(canary, m_files.path("")), "");
    qInstallMessageHandler(before);
    const std::string printed = testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout();
    EXPECT_EQ(printed.find(canary), std::string::npos);
    EXPECT_FALSE(s_logged.contains(QByteArray::fromStdString(canary)));
}

}  // namespace
}  // namespace unmask::ui
