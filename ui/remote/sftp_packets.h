// SPDX-License-Identifier: Apache-2.0
// Packets of SFTP version 3 (draft-ietf-secsh-filexfer-02), which is what OpenSSH speaks, as plain values. libssh 0.10
// has no way to keep several writes under way, so the packets are made here.
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <optional>
#include <vector>

namespace unmask::ui {

struct SftpRequest {
    quint8 type = 0;
    QByteArray body;  // behind type and number
};

struct SftpAttributes {
    std::optional<quint64> size;
    std::optional<quint32> permissions;  // with the kind of file in it
    std::optional<quint32> changedAt;    // seconds since 1970

    bool isRegular() const { return !permissions || (*permissions & 0170000) == 0100000; }
    bool isFolder() const { return permissions && (*permissions & 0170000) == 0040000; }
};

struct SftpSpace {
    quint64 freeBytes = 0;  // to this user
    quint64 totalBytes = 0;
};

struct SftpLimits {
    quint32 mostRead = 32768;  // what every server takes
    quint32 mostWrite = 32768;
};

enum class SftpStatus : quint32 {
    ok,
    endOfFile,
    noSuchFile,
    denied,
    failure,
    badMessage,
    noConnection,
    lost,
    unsupported
};

struct SftpReply {
    enum class Kind { version, status, handle, data, attributes, extended, other };
    Kind kind = Kind::other;
    quint32 id = 0;
    SftpStatus status = SftpStatus::ok;       // where kind is status
    QString message;                          // the server's own words for it
    QByteArray payload;                       // handle or data
    SftpAttributes attributes;                // where kind is attributes
    QMap<QByteArray, QByteArray> extensions;  // where kind is version

    bool ok() const { return kind != Kind::status || status == SftpStatus::ok; }
};

enum SftpOpenFlag : quint32 { kSftpRead = 1, kSftpWrite = 2, kSftpCreate = 8, kSftpTruncate = 16 };

QByteArray sftpHello();
SftpRequest sftpOpen(const QByteArray& path, quint32 flags, quint32 permissions);
SftpRequest sftpClose(const QByteArray& handle);
SftpRequest sftpReadAt(const QByteArray& handle, quint64 offset, quint32 length);
SftpRequest sftpWriteAt(const QByteArray& handle, quint64 offset, const QByteArray& bytes);
SftpRequest sftpStat(const QByteArray& path);
SftpRequest sftpSetSize(const QByteArray& handle, quint64 size);
SftpRequest sftpSetPermissions(const QByteArray& path, quint32 permissions);
SftpRequest sftpMakeFolder(const QByteArray& path, quint32 permissions);
SftpRequest sftpRemove(const QByteArray& path);
SftpRequest sftpRename(const QByteArray& from, const QByteArray& to);       // refused where `to` exists
SftpRequest sftpPosixRename(const QByteArray& from, const QByteArray& to);  // posix-rename@openssh.com
SftpRequest sftpSync(const QByteArray& handle);                             // fsync@openssh.com
SftpRequest sftpSpaceOf(const QByteArray& path);                            // statvfs@openssh.com
SftpRequest sftpLimits();                                                   // limits@openssh.com
QByteArray sftpPacket(const SftpRequest& request, quint32 id);
std::optional<SftpSpace> readSftpSpace(const QByteArray& payload);
SftpLimits readSftpLimits(const QByteArray& payload);

// Bytes of the server → replies. What is longer than any honest reply, or does not parse, ends it.
class SftpReader {
 public:
    // False when the stream is no SFTP; nothing more is taken then.
    bool take(const QByteArray& bytes, std::vector<SftpReply>& replies);

 private:
    QByteArray m_held;
    qsizetype m_at = 0;
    bool m_broken = false;
};

}  // namespace unmask::ui
