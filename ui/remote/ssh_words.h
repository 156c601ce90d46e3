// SPDX-License-Identifier: Apache-2.0
// The stages of a connection, what may go wrong in each, and what is asked on the way; as values that cross threads.
#pragma once

#include <QMetaType>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/remote/secret_text.h"

namespace unmask::ui {

enum class SshStep { route, resolve, connect, greet, hostKey, login, ready };
QString sshStepName(SshStep step);

enum class SshFault {
    badRoute,
    unknownName,
    refused,
    unreachable,
    timedOut,
    notSsh,
    negotiation,       // no common cipher, or the connection ended while keys were agreed on
    hostKeyDeclined,   // by the user
    hostKeyChanged,    // not to be overridden
    hostKeyOtherType,  // not to be overridden
    hostKeyRevoked,    // not to be overridden
    knownHostsUnreadable,
    loginDenied,
    loginCancelled,
    lost,
    cancelled,
};

struct SshFailure {
    SshStep step = SshStep::route;
    SshFault fault = SshFault::lost;
    QString sentence;
    // A changed key or a wrong password does not get better by trying again.
    bool mayRetry() const;
};

struct SshPrompt {
    QString text;
    bool echo = false;
};

struct SshQuestion {
    enum class Kind { hostKey, passphrase, password, prompts };
    quint64 id = 0;
    Kind kind = Kind::hostKey;
    QString host;
    QString title;
    QString text;
    QString keyType;      // of a host key
    QString fingerprint;  // "SHA256:…"
    std::vector<SshPrompt> prompts;
};

struct SshAnswer {
    bool accepted = false;
    std::vector<SecretText> texts;  // one a prompt
};
using SshAnswerPtr = std::shared_ptr<SshAnswer>;
using SshAsk = std::function<SshAnswerPtr(SshQuestion)>;  // waits; null when nobody will answer

}  // namespace unmask::ui

Q_DECLARE_METATYPE(unmask::ui::SshFailure)
Q_DECLARE_METATYPE(unmask::ui::SshQuestion)
