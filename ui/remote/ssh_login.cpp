// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/ssh_login.h"

#include <sys/stat.h>

#include <QCoreApplication>
#include <QStringList>
#include <cstring>

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kTries = 3;
constexpr int kMostRounds = 20;  // of questions by the server

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::SshLogin)
};

class Login {
 public:
    Login(ssh_session session, const SshHop& hop, SecretStore& secrets, const SshAsk& ask)
        : m_session(session), m_hop(hop), m_secrets(secrets), m_ask(ask) {}

    std::optional<SshFailure> run() {
        int state = ssh_userauth_none(m_session, nullptr);
        // Each round takes the first way that the server still offers; a second factor is another round.
        for (int round = 0; state != SSH_AUTH_SUCCESS && round < kTries; ++round) {
            if (state == SSH_AUTH_ERROR || !ssh_is_connected(m_session))
                return brokenOff();
            const int ways = ssh_userauth_list(m_session, nullptr);
            state = SSH_AUTH_DENIED;
            if (ways & SSH_AUTH_METHOD_PUBLICKEY)
                state = byKeys();
            if (state == SSH_AUTH_DENIED && !m_cancelled && (ways & SSH_AUTH_METHOD_INTERACTIVE))
                state = byQuestions();
            if (state == SSH_AUTH_DENIED && !m_cancelled && (ways & SSH_AUTH_METHOD_PASSWORD))
                state = byPassword();
            if (state == SSH_AUTH_DENIED)
                return denied(ways);
        }
        if (state == SSH_AUTH_ERROR)
            return brokenOff();
        return state == SSH_AUTH_SUCCESS ? std::nullopt : std::optional(denied(0));
    }

 private:
    SshFailure brokenOff() const {
        return {SshStep::login, SshFault::lost,
                Words::tr("The connection to %1 ended during the login: %2")
                    .arg(m_hop.host, QString::fromUtf8(ssh_get_error(m_session)))};
    }

    SshFailure denied(int ways) const {
        if (m_cancelled)
            return {SshStep::login, SshFault::loginCancelled, Words::tr("The login was cancelled.")};
        QStringList offered;
        if (ways & SSH_AUTH_METHOD_PUBLICKEY)
            offered += Words::tr("keys");
        if (ways & SSH_AUTH_METHOD_INTERACTIVE)
            offered += Words::tr("questions");
        if (ways & SSH_AUTH_METHOD_PASSWORD)
            offered += Words::tr("a password");
        const QString accepts = offered.isEmpty() ? Words::tr("nothing we know") : offered.join(QLatin1String(", "));
        return {SshStep::login, SshFault::loginDenied,
                Words::tr("%1 did not let %2 in. It accepts: %3. Tried: %4.")
                    .arg(m_hop.host, m_hop.user, accepts,
                         m_tried.isEmpty() ? Words::tr("nothing") : m_tried.join(QLatin1String("; ")))};
    }

    int byKeys() {
        if (m_keysTried)
            return SSH_AUTH_DENIED;
        m_keysTried = true;
        if (!m_hop.agentSocket.isEmpty() || qEnvironmentVariableIsSet("SSH_AUTH_SOCK")) {
            const int state = ssh_userauth_agent(m_session, nullptr);
            if (state == SSH_AUTH_SUCCESS || state == SSH_AUTH_PARTIAL)
                return state;
            m_tried += Words::tr("the agent (none of its keys is accepted)");
        }
        for (const std::filesystem::path& file : m_hop.keyFiles) {
            const int state = byKeyFile(file);
            if (state != SSH_AUTH_DENIED || m_cancelled)
                return state;
        }
        return SSH_AUTH_DENIED;
    }

    int byKeyFile(const std::filesystem::path& file) {
        const QString name = fromPath(file);
        struct stat status {};
        if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
            m_tried += Words::tr("%1 (no such file)").arg(name);
            return SSH_AUTH_DENIED;
        }
        if ((status.st_mode & 077) != 0) {
            m_tried += Words::tr("%1 (not used: others may read it; chmod 600 puts that right)").arg(name);
            return SSH_AUTH_DENIED;
        }
        if (!publicHalfWanted(file)) {
            m_tried += Words::tr("%1 (not accepted)").arg(name);
            return SSH_AUTH_DENIED;
        }
        ssh_key key = importKey(file);
        if (!key)
            return SSH_AUTH_DENIED;
        const int state = ssh_userauth_publickey(m_session, nullptr, key);
        ssh_key_free(key);
        if (state == SSH_AUTH_DENIED)
            m_tried += Words::tr("%1 (not accepted)").arg(name);
        return state;
    }

    // So that nobody types a passphrase for a key that the server does not want.
    bool publicHalfWanted(const std::filesystem::path& file) {
        ssh_key half = nullptr;
        if (ssh_pki_import_pubkey_file((file.string() + ".pub").c_str(), &half) != SSH_OK)
            return true;
        const int state = ssh_userauth_try_publickey(m_session, nullptr, half);
        ssh_key_free(half);
        return state == SSH_AUTH_SUCCESS || state == SSH_AUTH_ERROR;
    }

    struct Passphrase {
        Login* login;
        QString question;
        QString name;
        bool mayUseStore;
        bool asked = false;
        SecretText typed;
    };

    static int givePassphrase(const char*, char* buffer, size_t length, int, int, void* data) {
        auto& pass = *static_cast<Passphrase*>(data);
        Login& login = *pass.login;
        pass.asked = true;
        if (!(pass.mayUseStore && login.m_secrets.take(pass.question, pass.typed))) {
            const SshAnswerPtr answer = login.askFor(
                SshQuestion::Kind::passphrase, Words::tr("The key %1 is locked with a passphrase.").arg(pass.name),
                {{Words::tr("Passphrase"), false}});
            if (!answer)
                return -1;
            pass.typed = std::move(answer->texts[0]);
        }
        if (pass.typed.size() + 1 > length)
            return -1;
        std::memcpy(buffer, pass.typed.bytes(), pass.typed.size() + 1);
        return 0;
    }

    ssh_key importKey(const std::filesystem::path& file) {
        const QString name = fromPath(file);
        for (int attempt = 0; attempt < kTries && !m_cancelled; ++attempt) {
            Passphrase pass{this, QStringLiteral("passphrase ") + name, name, attempt == 0};
            ssh_key key = nullptr;
            if (ssh_pki_import_privkey_file(file.c_str(), nullptr, givePassphrase, &pass, &key) == SSH_OK) {
                if (pass.asked)
                    m_secrets.keep(pass.question, pass.typed);
                return key;
            }
            m_secrets.forget(pass.question);
            if (!pass.asked) {
                m_tried += Words::tr("%1 (not a private key that can be read)").arg(name);
                return nullptr;
            }
        }
        m_tried += Words::tr("%1 (wrong passphrase)").arg(name);
        return nullptr;
    }

    // What the server asks, as it asks it (RFC 4256): passwords, codes, menus.
    int byQuestions() {
        int state = SSH_AUTH_DENIED;
        for (int attempt = 0; attempt < kTries && state == SSH_AUTH_DENIED && !m_cancelled; ++attempt) {
            state = ssh_userauth_kbdint(m_session, nullptr, nullptr);
            int asked = 0;
            for (int round = 0; state == SSH_AUTH_INFO && round < kMostRounds; ++round) {
                const int prompts = ssh_userauth_kbdint_getnprompts(m_session);
                asked += prompts;
                if (prompts > 0 && !answerPrompts(prompts, attempt == 0))
                    return SSH_AUTH_DENIED;
                state = ssh_userauth_kbdint(m_session, nullptr, nullptr);
            }
            if (asked == 0)
                break;
        }
        if (state == SSH_AUTH_SUCCESS || state == SSH_AUTH_PARTIAL)
            keepTyped();
        else if (!m_cancelled)
            m_tried += Words::tr("answers to its questions (not accepted)");
        return state == SSH_AUTH_INFO ? SSH_AUTH_DENIED : state;
    }

    bool answerPrompts(int count, bool mayUseStore) {
        std::vector<SshPrompt> prompts;
        for (int i = 0; i < count; ++i) {
            char echo = 0;
            const char* text = ssh_userauth_kbdint_getprompt(m_session, static_cast<unsigned>(i), &echo);
            prompts.push_back({QString::fromUtf8(text).left(1000), echo != 0});
        }
        const QString what = QStringLiteral("questions %1@%2 %3").arg(m_hop.user, m_hop.host, prompts[0].text);
        SecretText stored;
        // One hidden question is the password as a rule; codes are asked anew when it is not accepted.
        if (mayUseStore && count == 1 && !prompts[0].echo && m_secrets.take(what, stored))
            return ssh_userauth_kbdint_setanswer(m_session, 0, stored.bytes()) == 0;
        const SshAnswerPtr answer = askFor(SshQuestion::Kind::prompts,
                                           QString::fromUtf8(ssh_userauth_kbdint_getinstruction(m_session)), prompts);
        if (!answer)
            return false;
        for (size_t i = 0; i < prompts.size(); ++i)
            if (ssh_userauth_kbdint_setanswer(m_session, static_cast<unsigned>(i), answer->texts[i].bytes()) < 0)
                return false;
        if (count == 1 && !prompts[0].echo) {
            m_typedWhat = what;
            m_typed = std::move(answer->texts[0]);
        }
        return true;
    }

    int byPassword() {
        const QString what = QStringLiteral("password %1@%2").arg(m_hop.user, m_hop.host);
        for (int attempt = 0; attempt < kTries; ++attempt) {
            SecretText password;
            if (attempt > 0 || !m_secrets.take(what, password)) {
                const SshAnswerPtr answer =
                    askFor(SshQuestion::Kind::password,
                           attempt == 0 ? QString() : Words::tr("That password was not accepted."),
                           {{Words::tr("Password"), false}});
                if (!answer)
                    return SSH_AUTH_DENIED;
                password = std::move(answer->texts[0]);
            }
            const int state = ssh_userauth_password(m_session, nullptr, password.bytes());
            if (state != SSH_AUTH_DENIED) {
                m_secrets.keep(what, password);
                return state;
            }
            m_secrets.forget(what);
        }
        m_tried += Words::tr("a password (wrong)");
        return SSH_AUTH_DENIED;
    }

    SshAnswerPtr askFor(SshQuestion::Kind kind, const QString& text, std::vector<SshPrompt> prompts) {
        SshQuestion question;
        question.kind = kind;
        question.host = m_hop.host;
        question.title = Words::tr("Log in to %1 as %2").arg(m_hop.host, m_hop.user);
        question.text = text.left(4000);
        const size_t wanted = prompts.size();
        question.prompts = std::move(prompts);
        SshAnswerPtr answer = m_ask(std::move(question));
        m_cancelled = !answer || !answer->accepted || answer->texts.size() != wanted;
        return m_cancelled ? nullptr : answer;
    }

    void keepTyped() {
        if (!m_typedWhat.isEmpty())
            m_secrets.keep(m_typedWhat, m_typed);
    }

    ssh_session m_session;
    const SshHop& m_hop;
    SecretStore& m_secrets;
    const SshAsk& m_ask;
    QStringList m_tried;
    QString m_typedWhat;
    SecretText m_typed;
    bool m_keysTried = false;
    bool m_cancelled = false;
};

}  // namespace

std::optional<SshFailure> logIn(ssh_session session, const SshHop& hop, SecretStore& secrets, const SshAsk& ask) {
    return Login(session, hop, secrets, ask).run();
}

}  // namespace unmask::ui
