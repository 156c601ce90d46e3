// SPDX-License-Identifier: Apache-2.0
// Proves who we are: agent, key files, then what the server asks, then the password. Runs in the thread of the session.
#pragma once

#include <libssh/libssh.h>

#include "ui/remote/ssh_config.h"
#include "ui/remote/ssh_words.h"

namespace unmask::ui {

// Nothing where the server let us in.
std::optional<SshFailure> logIn(ssh_session session, const SshHop& hop, SecretStore& secrets, const SshAsk& ask);

}  // namespace unmask::ui
