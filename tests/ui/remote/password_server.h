// SPDX-License-Identifier: Apache-2.0
// A small SSH server inside the test, for what the system's sshd cannot be told to do without accounts of its own:
// passwords, questions, second factors. Each exec answers "in\n".
#pragma once

#include <libssh/libssh.h>
#include <libssh/server.h>
#include <poll.h>
#include <sys/socket.h>

#include <QTcpServer>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace unmask::test {

struct LoginRules {
    struct Question {
        std::string text;
        bool echo;
        std::string answer;
    };
    std::string password;             // empty: no passwords
    std::vector<Question> questions;  // empty: none are asked
    bool both = false;                // the questions come after the password
    std::string instruction;
    std::string banner;  // sent before the login
};

class PasswordServer {
 public:
    PasswordServer(const std::filesystem::path& hostKey, LoginRules rules) : m_rules(std::move(rules)) {
        QTcpServer free;
        free.listen(QHostAddress::LocalHost);
        port = free.serverPort();
        free.close();
        m_bind = ssh_bind_new();
        ssh_bind_options_set(m_bind, SSH_BIND_OPTIONS_BINDADDR, "127.0.0.1");
        ssh_bind_options_set(m_bind, SSH_BIND_OPTIONS_BINDPORT, &port);
        ssh_bind_options_set(m_bind, SSH_BIND_OPTIONS_HOSTKEY, hostKey.c_str());
        m_listens = ssh_bind_listen(m_bind) == SSH_OK;
        m_thread = std::thread([this] { run(); });
    }
    ~PasswordServer() {
        m_stop = true;
        if (const int socket = m_socket; socket >= 0)
            ::shutdown(socket, SHUT_RDWR);
        m_thread.join();
        ssh_bind_free(m_bind);
    }
    bool listens() const { return m_listens; }

    int port = 0;
    std::atomic<int> logins{0};
    std::atomic<int> refused{0};

 private:
    void run() {
        while (!m_stop && m_listens) {
            pollfd entry{ssh_bind_get_fd(m_bind), POLLIN, 0};
            if (::poll(&entry, 1, 50) <= 0)
                continue;
            ssh_session session = ssh_new();
            const long seconds = 20;
            ssh_options_set(session, SSH_OPTIONS_TIMEOUT, &seconds);
            if (ssh_bind_accept(m_bind, session) == SSH_OK) {
                m_socket = ssh_get_fd(session);
                if (ssh_handle_key_exchange(session) == SSH_OK)
                    serve(session);
                m_socket = -1;
            }
            ssh_disconnect(session);
            ssh_free(session);
        }
    }
    int methods() const {
        const bool asksOnly = m_rules.password.empty() || m_passwordGiven;
        return asksOnly ? SSH_AUTH_METHOD_INTERACTIVE : SSH_AUTH_METHOD_PASSWORD;
    }
    void serve(ssh_session session) {
        m_passwordGiven = false;
        ssh_set_auth_methods(session, methods());
        if (!m_rules.banner.empty()) {
            ssh_string text = ssh_string_from_char(m_rules.banner.c_str());
            ssh_send_issue_banner(session, text);
            ssh_string_free(text);
        }
        while (ssh_message message = ssh_message_get(session)) {
            if (ssh_message_type(message) == SSH_REQUEST_AUTH)
                authorize(session, message);
            else
                answer(message);
            ssh_message_free(message);
        }
    }
    void authorize(ssh_session session, ssh_message message) {
        bool good = false;
        bool partial = false;
        if (ssh_message_subtype(message) == SSH_AUTH_METHOD_PASSWORD && !m_rules.password.empty()) {
            good = m_rules.password == passwordOf(message);
            partial = good && m_rules.both;
            m_passwordGiven = good;
        } else if (ssh_message_subtype(message) == SSH_AUTH_METHOD_INTERACTIVE && !m_rules.questions.empty()) {
            if (ssh_message_auth_kbdint_is_response(message) == 0)
                return askQuestions(message);
            good = ssh_userauth_kbdint_getnanswers(session) == static_cast<int>(m_rules.questions.size());
            for (unsigned i = 0; good && i < m_rules.questions.size(); ++i)
                good = m_rules.questions[i].answer == ssh_userauth_kbdint_getanswer(session, i);
        }
        ssh_set_auth_methods(session, methods());
        ssh_message_auth_set_methods(message, methods());
        if (!good) {
            if (ssh_message_subtype(message) != SSH_AUTH_METHOD_NONE)
                ++refused;
            ssh_message_reply_default(message);
            return;
        }
        logins += partial ? 0 : 1;
        ssh_message_auth_reply_success(message, partial ? 1 : 0);
    }
    static std::string passwordOf(ssh_message message) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        const char* text =
            ssh_message_auth_password(message);  // the callbacks that replace it need a loop of their own
#pragma GCC diagnostic pop
        return text ? text : "";
    }
    void askQuestions(ssh_message message) {
        std::vector<const char*> texts;
        std::vector<char> echo;
        for (const auto& question : m_rules.questions) {
            texts.push_back(question.text.c_str());
            echo.push_back(question.echo ? 1 : 0);
        }
        ssh_message_auth_interactive_request(message, "login", m_rules.instruction.c_str(),
                                             static_cast<unsigned>(texts.size()), texts.data(), echo.data());
    }
    static void answer(ssh_message message) {
        static thread_local ssh_channel channel = nullptr;
        if (ssh_message_type(message) == SSH_REQUEST_CHANNEL_OPEN) {
            channel = ssh_message_channel_request_open_reply_accept(message);
        } else if (ssh_message_type(message) == SSH_REQUEST_CHANNEL && channel &&
                   ssh_message_subtype(message) == SSH_CHANNEL_REQUEST_EXEC) {
            ssh_message_channel_request_reply_success(message);
            ssh_channel_write(channel, "in\n", 3);
            ssh_channel_request_send_exit_status(channel, 0);
            ssh_channel_send_eof(channel);
            ssh_channel_close(channel);
        } else {
            ssh_message_reply_default(message);
        }
    }

    const LoginRules m_rules;
    ssh_bind m_bind = nullptr;
    bool m_listens = false;
    bool m_passwordGiven = false;
    std::atomic<bool> m_stop{false};
    std::atomic<int> m_socket{-1};
    std::thread m_thread;
};

}  // namespace unmask::test
