// SPDX-License-Identifier: Apache-2.0
// What the user's own SSH configuration says about a server. HostName, User, Port, jumps and agent are read by libssh;
// names of hosts, and key files of which libssh gives only one away, by a pass of our own over the same file.
#pragma once

#include <QStringList>
#include <filesystem>
#include <vector>

#include "ui/remote/server_address.h"

namespace unmask::ui {

// Where SSH keeps its things. Tests have their own.
struct SshPlaces {
    std::filesystem::path folder;        // keys with the usual names
    std::filesystem::path config;        // of the user
    std::filesystem::path globalConfig;  // empty: none
    std::filesystem::path knownHosts;    // read, and written when a host is accepted
    std::filesystem::path globalKnownHosts;
    QString agentSocket;  // empty: SSH_AUTH_SOCK, or as the configuration says

    static SshPlaces ofUser();
};

// One machine on the way; the last of a route is the server itself.
struct SshHop {
    QString host;
    QString user;
    int port = 22;
    std::vector<std::filesystem::path> keyFiles;  // in the order they are tried
    QString agentSocket;                          // empty: as SSH_AUTH_SOCK says
};

struct SshRoute {
    std::vector<SshHop> hops;
    QString problem;  // sentence where no route could be made
};

SshRoute routeTo(const ServerAddress& address, const SshPlaces& places);

// Names after `Host` that are no patterns, in the order of the file, Include files too.
QStringList configuredHosts(const SshPlaces& places);

}  // namespace unmask::ui
