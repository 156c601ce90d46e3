// SPDX-License-Identifier: Apache-2.0
// What people type or paste as a server: a host, an alias of ~/.ssh/config, `user@host:port`, `ssh://…`, or a whole
// `ssh user@host -p 2222 -J jump`. Only letters that no shell and no configuration reads as anything else get through.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

namespace unmask::ui {

struct ServerAddress {
    QString host;       // name, number or alias
    QString user;       // empty: what the configuration or this computer says
    int port = 0;       // 0: what the configuration says, else 22
    QStringList jumps;  // "user@host:port", the first hop first
    QString keyFile;    // empty: agent, configuration and the usual names

    bool operator==(const ServerAddress&) const = default;
};

struct AddressReading {
    std::optional<ServerAddress> address;
    QString problem;  // sentence for people where there is none
};

AddressReading readServerAddress(const QString& text);
// `user@host:port` as readServerAddress takes it; jumps and key are not in it.
QString addressText(const ServerAddress& address);

bool isServerHost(const QString& host);
bool isServerUser(const QString& user);

// The host and the jumps inside a ProxyCommand of the form `ssh … -W …`, which is what libssh makes of ProxyJump.
std::optional<ServerAddress> jumpOfProxyCommand(const QString& command);

}  // namespace unmask::ui
