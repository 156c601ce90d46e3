// SPDX-License-Identifier: Apache-2.0
// Is this the machine we know? Only `known` may go on without asking; changed, otherType, revoked and unreadable never.
#pragma once

#include <libssh/libssh.h>

#include "ui/remote/ssh_config.h"

namespace unmask::ui {

enum class HostKeyVerdict { known, unknown, noFile, changed, otherType, revoked, unreadable };

struct HostKey {
    HostKeyVerdict verdict = HostKeyVerdict::unreadable;
    QString type;         // "ssh-ed25519"
    QString fingerprint;  // "SHA256:…"
    QString detail;       // where verdict is unreadable
};

// After ssh_connect; the session must have been given the files of `places`.
HostKey judgeHostKey(ssh_session session, const SshPlaces& places);
// Writes the key into the user's file. False with a sentence where it cannot.
bool rememberHostKey(ssh_session session, const SshPlaces& places, QString& problem);

}  // namespace unmask::ui
