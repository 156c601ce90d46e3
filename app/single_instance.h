// SPDX-License-Identifier: Apache-2.0
// One window a user: a later start hands its paths to the first window and ends. The socket is the user's alone (0600);
// a lock beside it decides who is first, so that a socket left by a killed window is no obstacle. It is the kernel's
// lock, gone with its process: QLockFile's file stays for ever when a window is killed before its pid stands in it.
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

#include "engine/base/durable_file.h"

namespace unmask::ui {

class SingleInstance final : public QObject {
    Q_OBJECT
 public:
    // `folder` holds lock and socket; it is made when missing.
    explicit SingleInstance(const QString& folder, QObject* parent = nullptr);

    bool becomeFirst();                       // false: another window has the lock
    bool handOver(const QStringList& paths);  // to the first window; false when it does not answer within 3 s
    QString socketPath() const { return m_socketPath; }

 Q_SIGNALS:
    void pathsReceived(const QStringList& paths);  // may be empty: show the window

 private:
    void onConnection();

    QString m_socketPath;
    FileDescriptor m_lock;
    QLocalServer m_server;
};

}  // namespace unmask::ui
