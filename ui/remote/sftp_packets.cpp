// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/sftp_packets.h"

#include <QtEndian>

namespace unmask::ui {
namespace {

constexpr quint32 kLongestPacket = 512 << 10;
constexpr quint64 kMostAtOnce = 255 << 10;
constexpr int kMostExtensions = 100;

enum Type : quint8 {
    kInit = 1,
    kVersion = 2,
    kOpen = 3,
    kClose = 4,
    kRead = 5,
    kWrite = 6,
    kSetStat = 9,
    kSetStatOfHandle = 10,
    kRemove = 13,
    kMakeFolder = 14,
    kStat = 17,
    kRename = 18,
    kStatus = 101,
    kHandle = 102,
    kData = 103,
    kAttributes = 105,
    kExtended = 200,
    kExtendedReply = 201,
};

enum AttributeFlag : quint32 { kHasSize = 1, kHasOwner = 2, kHasPermissions = 4, kHasTimes = 8 };

template <class T>
void put(QByteArray& out, T value) {
    const T big = qToBigEndian(value);
    out.append(reinterpret_cast<const char*>(&big), sizeof(big));
}

void putText(QByteArray& out, const QByteArray& text) {
    put(out, static_cast<quint32>(text.size()));
    out.append(text);
}

SftpRequest withTexts(quint8 type, const std::initializer_list<QByteArray>& texts) {
    SftpRequest request{type, {}};
    for (const QByteArray& text : texts)
        putText(request.body, text);
    return request;
}

// Reads from a packet; nothing is read beyond its end, and `good` says whether all was there.
struct Fields {
    const char* at;
    const char* end;
    bool good = true;

    template <class T>
    T number() {
        if (end - at < static_cast<qsizetype>(sizeof(T))) {
            good = false;
            return 0;
        }
        const T value = qFromBigEndian<T>(at);
        at += sizeof(T);
        return value;
    }
    QByteArray text() {
        const auto length = number<quint32>();
        if (!good || end - at < static_cast<qsizetype>(length)) {
            good = false;
            return {};
        }
        QByteArray bytes(at, static_cast<qsizetype>(length));
        at += length;
        return bytes;
    }
    bool more() const { return good && at < end; }
};

SftpAttributes readAttributes(Fields& fields) {
    SftpAttributes attributes;
    const auto flags = fields.number<quint32>();
    if (flags & kHasSize)
        attributes.size = fields.number<quint64>();
    if (flags & kHasOwner) {
        fields.number<quint32>();
        fields.number<quint32>();
    }
    if (flags & kHasPermissions)
        attributes.permissions = fields.number<quint32>();
    if (flags & kHasTimes) {
        fields.number<quint32>();
        attributes.changedAt = fields.number<quint32>();
    }
    return attributes;
}

// False where the packet is not what its type says.
bool readReply(const char* begin, quint32 length, SftpReply& reply) {
    Fields fields{begin, begin + length};
    const auto type = fields.number<quint8>();
    reply.id = fields.number<quint32>();  // the version's own number in a version packet
    switch (type) {
        case kVersion:
            reply.kind = SftpReply::Kind::version;
            for (int i = 0; i < kMostExtensions && fields.more(); ++i) {
                const QByteArray name = fields.text();
                reply.extensions.insert(name, fields.text());
            }
            break;
        case kStatus:
            reply.kind = SftpReply::Kind::status;
            reply.status = static_cast<SftpStatus>(fields.number<quint32>());
            if (fields.more())
                reply.message = QString::fromUtf8(fields.text().left(500));
            break;
        case kHandle:
            reply.kind = SftpReply::Kind::handle;
            reply.payload = fields.text();
            break;
        case kData:
            reply.kind = SftpReply::Kind::data;
            reply.payload = fields.text();
            break;
        case kAttributes:
            reply.kind = SftpReply::Kind::attributes;
            reply.attributes = readAttributes(fields);
            break;
        case kExtendedReply:
            reply.kind = SftpReply::Kind::extended;
            reply.payload = QByteArray(fields.at, fields.end - fields.at);
            break;
        default:
            break;
    }
    return fields.good;
}

}  // namespace

QByteArray sftpHello() {
    QByteArray packet;
    put(packet, quint32{5});
    put(packet, quint8{kInit});
    put(packet, quint32{3});
    return packet;
}

SftpRequest sftpOpen(const QByteArray& path, quint32 flags, quint32 permissions) {
    SftpRequest request = withTexts(kOpen, {path});
    put(request.body, flags);
    put(request.body, quint32{kHasPermissions});
    put(request.body, permissions);
    return request;
}

SftpRequest sftpClose(const QByteArray& handle) {
    return withTexts(kClose, {handle});
}

SftpRequest sftpReadAt(const QByteArray& handle, quint64 offset, quint32 length) {
    SftpRequest request = withTexts(kRead, {handle});
    put(request.body, offset);
    put(request.body, length);
    return request;
}

SftpRequest sftpWriteAt(const QByteArray& handle, quint64 offset, const QByteArray& bytes) {
    SftpRequest request{kWrite, {}};
    request.body.reserve(handle.size() + bytes.size() + 16);
    putText(request.body, handle);
    put(request.body, offset);
    putText(request.body, bytes);
    return request;
}

SftpRequest sftpStat(const QByteArray& path) {
    return withTexts(kStat, {path});
}

SftpRequest sftpSetSize(const QByteArray& handle, quint64 size) {
    SftpRequest request = withTexts(kSetStatOfHandle, {handle});
    put(request.body, quint32{kHasSize});
    put(request.body, size);
    return request;
}

SftpRequest sftpSetPermissions(const QByteArray& path, quint32 permissions) {
    SftpRequest request = withTexts(kSetStat, {path});
    put(request.body, quint32{kHasPermissions});
    put(request.body, permissions);
    return request;
}

SftpRequest sftpMakeFolder(const QByteArray& path, quint32 permissions) {
    SftpRequest request = withTexts(kMakeFolder, {path});
    put(request.body, quint32{kHasPermissions});
    put(request.body, permissions);
    return request;
}

SftpRequest sftpRemove(const QByteArray& path) {
    return withTexts(kRemove, {path});
}

SftpRequest sftpRename(const QByteArray& from, const QByteArray& to) {
    return withTexts(kRename, {from, to});
}

SftpRequest sftpPosixRename(const QByteArray& from, const QByteArray& to) {
    return withTexts(kExtended, {"posix-rename@openssh.com", from, to});
}

SftpRequest sftpSync(const QByteArray& handle) {
    return withTexts(kExtended, {"fsync@openssh.com", handle});
}

SftpRequest sftpSpaceOf(const QByteArray& path) {
    return withTexts(kExtended, {"statvfs@openssh.com", path});
}

SftpRequest sftpLimits() {
    return withTexts(kExtended, {"limits@openssh.com"});
}

QByteArray sftpPacket(const SftpRequest& request, quint32 id) {
    QByteArray packet;
    packet.reserve(request.body.size() + 9);
    put(packet, static_cast<quint32>(request.body.size() + 5));
    put(packet, request.type);
    put(packet, id);
    packet.append(request.body);
    return packet;
}

std::optional<SftpSpace> readSftpSpace(const QByteArray& payload) {
    Fields fields{payload.constData(), payload.constData() + payload.size()};
    fields.number<quint64>();  // preferred size of a block
    const auto block = fields.number<quint64>();
    const auto blocks = fields.number<quint64>();
    fields.number<quint64>();  // free to root
    const auto available = fields.number<quint64>();
    if (!fields.good)
        return std::nullopt;
    return SftpSpace{available * block, blocks * block};
}

SftpLimits readSftpLimits(const QByteArray& payload) {
    Fields fields{payload.constData(), payload.constData() + payload.size()};
    fields.number<quint64>();  // longest packet
    const auto read = fields.number<quint64>();
    const auto write = fields.number<quint64>();
    SftpLimits limits;
    const auto within = [](quint64 asked, quint32 usual) {
        return asked == 0 ? usual : static_cast<quint32>(std::clamp<quint64>(asked, 4096, kMostAtOnce));
    };
    if (fields.good)
        limits = {within(read, limits.mostRead), within(write, limits.mostWrite)};
    return limits;
}

bool SftpReader::take(const QByteArray& bytes, std::vector<SftpReply>& replies) {
    if (m_broken)
        return false;
    m_held.append(bytes);
    while (m_held.size() - m_at >= 4) {
        const auto length = qFromBigEndian<quint32>(m_held.constData() + m_at);
        if (length < 5 || length > kLongestPacket) {
            m_broken = true;
            return false;
        }
        if (m_held.size() - m_at < qsizetype{4} + length)
            break;
        SftpReply reply;
        if (!readReply(m_held.constData() + m_at + 4, length, reply)) {
            m_broken = true;
            return false;
        }
        replies.push_back(std::move(reply));
        m_at += 4 + length;
    }
    m_held.remove(0, m_at);
    m_at = 0;
    return true;
}

}  // namespace unmask::ui
