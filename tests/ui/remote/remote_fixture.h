// SPDX-License-Identifier: Apache-2.0
// A session to a real sshd on loopback, opened when it is first asked for.
#pragma once

#include <gtest/gtest.h>

#include "tests/ui/remote/local_sshd.h"
#include "tests/ui/support/wait_for.h"
#include "ui/remote/remote_command.h"

namespace unmask::test {

class RemoteTest : public testing::Test {
 protected:
    void SetUp() override {
        if (!LocalSshd::present())
            GTEST_SKIP() << "sshd is not installed";
    }
    std::shared_ptr<ui::SshThread> link() {
        if (!m_session)
            openSession();
        return m_session->link();
    }
    void openSession() {
        if (!m_started)
            m_started = m_sshd.start();
        ASSERT_TRUE(m_started);
        m_session = makeSession(m_sshd.route());
    }
    // By another way, for one that leads through a proxy.
    std::unique_ptr<ui::SshSession> makeSession(const ui::SshRoute& route, ui::SshTimes times = {}) {
        auto session = std::make_unique<ui::SshSession>(route, m_sshd.places, m_secrets, times);
        bool done = false;
        ui::SshSession* raw = session.get();
        QObject context;
        QObject::connect(raw, &ui::SshSession::questionAsked, raw, [raw](const ui::SshQuestion& question) {
            auto answer = std::make_shared<ui::SshAnswer>();
            answer->accepted = true;
            raw->answer(question.id, answer);
        });
        QObject::connect(raw, &ui::SshSession::opened, &context, [&] { done = true; });
        QObject::connect(raw, &ui::SshSession::failed, &context, [&](const ui::SshFailure& failure) {
            ADD_FAILURE() << failure.sentence.toStdString();
            done = true;
        });
        session->open();
        EXPECT_TRUE(waitFor([&] { return done; }, 30000));
        return session;
    }
    ui::RemoteReply run(const ui::RemoteProgram& program, const ui::RemoteLimits& limits = {}) {
        ui::RemoteCommand command(link(), program, limits);
        return replyOf(command);
    }
    static ui::RemoteReply replyOf(ui::RemoteCommand& command) {
        ui::RemoteReply reply;
        bool done = false;
        QObject context;
        QObject::connect(&command, &ui::RemoteCommand::finished, &context, [&](const ui::RemoteReply& got) {
            reply = got;
            done = true;
        });
        EXPECT_TRUE(waitFor([&] { return done; }, 60000));
        return reply;
    }
    static ui::RemoteProgram program(const QStringList& words) {
        ui::RemoteProgram program;
        program.words = words;
        return program;
    }

    LocalSshd m_sshd;
    std::shared_ptr<ui::SecretStore> m_secrets = std::make_shared<ui::SecretStore>();
    std::unique_ptr<ui::SshSession> m_session;
    bool m_started = false;
};

}  // namespace unmask::test
