// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/remote_command.h"

#include "tests/ui/remote/hostile_strings.h"
#include "tests/ui/remote/remote_fixture.h"
#include "ui/remote/channel_pump.h"
#include "ui/remote/relay.h"

namespace unmask::ui {
namespace {

using test::waitFor;

class RemoteCommandTest : public test::RemoteTest {
 protected:
    static QString u(const char* text) { return QString::fromUtf8(text); }
    QByteArray folderName() { return QByteArray::fromStdString(m_sshd.path("").string()); }
};

TEST_F(RemoteCommandTest, OutputErrorsAndCodeAreKeptApart) {
    const RemoteReply reply = run(program({u("/bin/sh"), u("-c"), u("printf out; printf err >&2; exit 7")}));
    EXPECT_EQ(reply.fault, RemoteFault::none);
    EXPECT_EQ(reply.exitCode, 7);
    EXPECT_EQ(reply.output, "out");
    EXPECT_EQ(reply.errors, "err");
    EXPECT_EQ(reply.lastWords(), u("err"));
}

TEST_F(RemoteCommandTest, BytesComeAsTheyWere) {
    RemoteProgram copy = program({u("cat")});
    for (int i = 0; i < 300000; ++i)
        copy.input += static_cast<char>(i * 31 + i / 256);
    EXPECT_EQ(run(copy).output, copy.input);
    copy.input.clear();
    EXPECT_EQ(run(copy).output, QByteArray()) << "without input it is empty, not the rest of our script";
}

TEST_F(RemoteCommandTest, InputMayFollow) {
    RemoteProgram copy = program({u("cat")});
    copy.moreInput = true;
    RemoteLimits limits;
    limits.streams = true;
    RemoteCommand command(link(), copy, limits);
    QByteArray got;
    QObject::connect(&command, &RemoteCommand::received, &command, [&](const QByteArray& bytes) { got += bytes; });
    command.write("one\n");
    ASSERT_TRUE(waitFor([&] { return got == "one\n"; }));
    command.write("two\n");
    ASSERT_TRUE(waitFor([&] { return got == "one\ntwo\n"; }));
    command.endInput();
    EXPECT_TRUE(replyOf(command).good());
}

TEST_F(RemoteCommandTest, NoHostileWordIsExecuted) {
    const QString planted = QString::fromStdString(m_sshd.path("planted").string());
    QStringList words = test::hostileStrings(planted);
    words.removeIf([](const QString& word) { return word.contains(QChar(0)); });
    ASSERT_GE(words.size(), 200);
    QByteArray expected;
    for (const QString& word : words)
        expected += word.toUtf8() + "\n--\n";
    EXPECT_EQ(run(program(QStringList{u("printf"), u("%s\n--\n")} + words)).output, expected);
    RemoteProgram script;
    script.script = "for word; do printf '%s\\n--\\n' \"$word\"; done";
    script.words = words;
    EXPECT_EQ(run(script).output, expected);
    // As folder, as program and as environment, each by itself.
    for (const QString& word : words) {
        RemoteProgram one = program({u("env")});
        one.environment = {u("UNMASK_X=") + word};
        const RemoteReply reply = run(one);
        const bool whole = reply.output.contains("UNMASK_X=" + word.toUtf8() + '\n');
        EXPECT_TRUE(whole || word.contains(u("$"))) << word.toStdString();
        one.folder = word;
        run(one);
        run(program({word}));
    }
    EXPECT_FALSE(std::filesystem::exists(planted.toStdString()));
    EXPECT_EQ(run(program({u("echo"), QStringLiteral("a\u0000b")})).fault, RemoteFault::badWord);
}

TEST_F(RemoteCommandTest, OtherLoginShellsAndTheirNoiseStayOutside) {
    const std::vector<std::string> shells{
        "/usr/bin/fish -c \"$SSH_ORIGINAL_COMMAND\"",
        "/bin/csh -f -c \"$SSH_ORIGINAL_COMMAND\"",
        "printf 'Welcome\\n-begin\\n'; echo broken >&2; /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"; echo bye; exit 9",
        "head -c 300000 /dev/zero; /bin/sh -v -c \"$SSH_ORIGINAL_COMMAND\"",
    };
    test::writeBytes(m_sshd.path("banner"), "Authorized use only\nSSH-2.0-lies\n");
    for (const std::string& shell : shells) {
        if (const std::string first = shell.substr(0, shell.find(' '));
            first.front() == '/' && !std::filesystem::exists(first))
            continue;
        m_session.reset();
        m_sshd.stop();
        m_sshd.setShell(shell);
        m_sshd.more += "Banner " + m_sshd.path("banner").string() + "\n";
        m_started = false;
        const RemoteReply reply = run(program({u("/bin/sh"), u("-c"), u("echo it\\'s; echo no >&2; exit 3")}));
        EXPECT_EQ(reply.fault, RemoteFault::none) << shell << reply.sentence.toStdString();
        EXPECT_EQ(reply.output, "it's\n") << shell;
        EXPECT_EQ(reply.errors, "no\n") << shell;
        EXPECT_EQ(reply.exitCode, 3) << shell;
    }
}

TEST_F(RemoteCommandTest, AnAccountWithoutShellSaysSo) {
    m_sshd.setShell("echo 'This account is currently not available.'; exit 1");
    const RemoteReply reply = run(program({u("true")}));
    EXPECT_EQ(reply.fault, RemoteFault::noShell);
    EXPECT_TRUE(reply.sentence.contains(u("not available"))) << reply.sentence.toStdString();
}

TEST_F(RemoteCommandTest, LimitsOfTimeAndSize) {
    RemoteLimits limits;
    limits.runMs = 300;
    const RemoteReply late = run(program({u("sleep"), u("30")}), limits);
    EXPECT_EQ(late.fault, RemoteFault::timedOut);
    EXPECT_FALSE(late.sentence.isEmpty());
    limits.runMs = 20000;
    limits.mostOutput = 100000;
    EXPECT_EQ(run(program({u("cat"), u("/dev/zero")}), limits).fault, RemoteFault::tooMuch);
    EXPECT_TRUE(run(program({u("/bin/sh"), u("-c"), u("head -c 3000000 /dev/zero >&2")}), limits).good());
}

TEST_F(RemoteCommandTest, AShellThatNeverAnswersIsGivenUp) {
    m_sshd.setShell("sleep 20");
    RemoteLimits limits;
    limits.beginMs = 500;
    EXPECT_EQ(run(program({u("true")}), limits).fault, RemoteFault::noAnswer);
}

TEST_F(RemoteCommandTest, WhatAProgramLeavesBehindDoesNotHoldTheReply) {
    const RemoteReply reply = run(program({u("/bin/sh"), u("-c"), u("sleep 5 & echo done")}));
    EXPECT_EQ(reply.output, "done\n");
    EXPECT_TRUE(reply.good());
}

TEST_F(RemoteCommandTest, ALostLinkIsNotAnExitCode) {
    RemoteCommand command(link(), program({u("sleep"), u("20")}));
    ASSERT_TRUE(waitFor([&] { return m_session->isOpen(); }));
    QObject::connect(&command, &RemoteCommand::begun, &command, [this] { m_session->link()->stop(); });
    const RemoteReply reply = replyOf(command);
    EXPECT_EQ(reply.fault, RemoteFault::linkDown);
    EXPECT_EQ(reply.exitCode, -1);
    EXPECT_EQ(run(program({u("true")})).fault, RemoteFault::linkDown) << "nor is one that was not even asked";
}

}  // namespace
}  // namespace unmask::ui
