// SPDX-License-Identifier: Apache-2.0
#include "app/single_instance.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalSocket>

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace unmask::ui {

namespace {

constexpr qint64 kMessageLimit = 1 << 20;
constexpr int kAnswerMs = 3000;
constexpr int kLongestSocketPath = 100;  // sun_path has 108 bytes

QString socketPathIn(const QString& folder) {
    const QString path = QDir(folder).filePath(QStringLiteral("studio.sock"));
    if (QFile::encodeName(path).size() <= kLongestSocketPath)
        return path;
    const QByteArray digest = QCryptographicHash::hash(folder.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QDir(QDir::tempPath()).filePath(QStringLiteral("unmask-studio-") + QString::fromLatin1(digest));
}

FileDescriptor lockFileIn(const QString& folder) {
    QDir().mkpath(folder);
    const QByteArray path = QFile::encodeName(QDir(folder).filePath(QStringLiteral("studio.lock")));
    return FileDescriptor(::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
}

}  // namespace

SingleInstance::SingleInstance(const QString& folder, QObject* parent)
    : QObject(parent), m_socketPath(socketPathIn(folder)), m_lock(lockFileIn(folder)) {
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::onConnection);
}

bool SingleInstance::becomeFirst() {
    if (m_lock.valid() && ::flock(m_lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    QLocalServer::removeServer(m_socketPath);
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    m_server.listen(m_socketPath);  // without it the window works, only a second start cannot reach it
    return true;
}

bool SingleInstance::handOver(const QStringList& paths) {
    QLocalSocket socket;
    socket.connectToServer(m_socketPath);
    if (!socket.waitForConnected(kAnswerMs))
        return false;
    socket.write(QJsonDocument(QJsonArray::fromStringList(paths)).toJson(QJsonDocument::Compact) + '\n');
    return socket.waitForBytesWritten(kAnswerMs) && socket.waitForReadyRead(kAnswerMs) &&
           socket.readAll().startsWith("ok");
}

void SingleInstance::onConnection() {
    while (QLocalSocket* socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (!socket->canReadLine()) {
                if (socket->bytesAvailable() > kMessageLimit)
                    socket->abort();
                return;
            }
            QStringList paths;
            const QJsonArray entries = QJsonDocument::fromJson(socket->readLine(kMessageLimit)).array();
            for (const QJsonValue& entry : entries)
                paths.append(entry.toString());
            socket->write("ok\n");
            socket->flush();
            socket->disconnectFromServer();
            Q_EMIT pathsReceived(paths);
        });
    }
}

}  // namespace unmask::ui
