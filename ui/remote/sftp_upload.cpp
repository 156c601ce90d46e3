// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/sftp_upload.h"

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr qint64 kWindow = qint64{4} << 20;  // sent and not yet said to be written
constexpr qint64 kSpareRoom = qint64{16} << 20;

QString megabytes(quint64 bytes) {
    return QString::number(static_cast<double>(bytes) / (1 << 20), 'f', 0);
}

}  // namespace

SftpUpload::SftpUpload(std::shared_ptr<SshThread> link, TransferJob job, TransferCallOff calledOff)
    : TransferWork(std::move(link), std::move(job), std::move(calledOff)), m_file(fromPath(m_job.local)) {}

bool SftpUpload::prepare() {
    if (!m_file.open(QIODevice::ReadOnly)) {
        fail(TransferFault::localFile, tr("%1 cannot be read: %2").arg(fromPath(m_job.local), m_file.errorString()));
        return false;
    }
    m_report.bytes = m_file.size();
    Sha256 hash;
    if (!hashHere(m_job.local, m_report.bytes, hash))
        return false;
    m_report.sha256 = hash.hex();
    m_part = m_remote + ".part-" + QByteArray::fromStdString(m_report.sha256.substr(0, 16));
    return true;
}

void SftpUpload::transfer() {
    m_sftp->send(sftpStat(m_remote), [this](const SftpReply& reply) {
        if (over() || calledOff())
            return;
        const bool sameSize = reply.kind == SftpReply::Kind::attributes && reply.attributes.isRegular() &&
                              reply.attributes.size == static_cast<quint64>(m_report.bytes);
        if (!sameSize)
            return makeFolders(1);
        hashThere(m_job.remote, m_report.bytes, [this](const std::string& hash) {
            if (hash != m_report.sha256)
                return makeFolders(1);
            m_report.wasThere = m_report.verified = true;
            ask(sftpSetPermissions(m_remote, m_job.permissions), [this](const SftpReply&) {
                progress(m_report.bytes);
                end();
            });
        });
    });
}

// One after the other; those that are there already answer with a failure, which the opening of the file explains.
void SftpUpload::makeFolders(qsizetype from) {
    const qsizetype slash = m_remote.indexOf('/', from);
    if (slash < 0)
        return checkRoom();
    const QByteArray folder = m_remote.left(slash);
    m_sftp->send(sftpStat(folder), [this, folder, slash](const SftpReply& there) {
        if (over() || calledOff())
            return;
        if (there.kind == SftpReply::Kind::attributes)
            return makeFolders(slash + 1);
        m_sftp->send(sftpMakeFolder(folder, 0700), [this, slash](const SftpReply&) {
            if (!over() && !calledOff())
                makeFolders(slash + 1);
        });
    });
}

void SftpUpload::checkRoom() {
    if (!m_sftp->has("statvfs@openssh.com"))
        return lookForPart();
    m_sftp->send(sftpSpaceOf(m_remote.left(std::max<qsizetype>(1, m_remote.lastIndexOf('/')))),
                 [this](const SftpReply& reply) {
                     if (over() || calledOff())
                         return;
                     const auto space = readSftpSpace(reply.payload);
                     if (reply.kind == SftpReply::Kind::extended && space &&
                         space->freeBytes < static_cast<quint64>(m_report.bytes + kSpareRoom))
                         return fail(TransferFault::remoteFull,
                                     tr("The disk of the server has %1 MB of room for %2, which needs %3 MB.")
                                         .arg(megabytes(space->freeBytes), m_job.remote,
                                              megabytes(static_cast<quint64>(m_report.bytes))));
                     lookForPart();
                 });
}

void SftpUpload::lookForPart() {
    m_sftp->send(sftpStat(m_part), [this](const SftpReply& reply) {
        if (over() || calledOff())
            return;
        const bool there = reply.kind == SftpReply::Kind::attributes && reply.attributes.isRegular();
        openPart(there ? static_cast<qint64>(reply.attributes.size.value_or(0)) : 0);
    });
}

// Servers write in the order of the requests, so what is there has no holes; where one is found in the end after all,
// the hash tells, and everything is sent once more.
void SftpUpload::openPart(qint64 size) {
    const bool usable = size <= m_report.bytes && !m_wasAgain;
    m_next = m_written = usable ? size : 0;
    m_report.resumedFrom = m_next;
    const quint32 flags = m_next == 0 ? kSftpWrite | kSftpCreate | kSftpTruncate : kSftpWrite | kSftpCreate;
    ask(sftpOpen(m_part, flags, 0600), [this](const SftpReply& reply) {
        m_handle = reply.payload;
        writeMore();
    });
}

void SftpUpload::writeMore() {
    while (m_next < m_report.bytes && m_next - m_written < kWindow) {
        const qint64 length = std::min<qint64>(m_limits.mostWrite, m_report.bytes - m_next);
        if (!m_file.seek(m_next))
            return fail(TransferFault::localFile, m_file.errorString());
        const QByteArray bytes = m_file.read(length);
        if (bytes.size() != length)
            return fail(TransferFault::localFile, tr("%1 became shorter while it was read.").arg(m_file.fileName()));
        m_sftp->send(sftpWriteAt(m_handle, static_cast<quint64>(m_next), bytes),
                     [this, length](const SftpReply& reply) {
                         if (over() || calledOff())
                             return;
                         if (reply.kind == SftpReply::Kind::status && reply.status == SftpStatus::ok)
                             onWritten(length);
                         else
                             sayNotWritten(reply);
                     });
        m_next += length;
    }
    if (m_written == m_report.bytes)
        closePart();
}

void SftpUpload::onWritten(qint64 length) {
    m_written += length;
    progress(m_written);
    writeMore();
}

// A full disk and a used-up quota are both a plain failure in this version of the protocol.
void SftpUpload::sayNotWritten(const SftpReply& reply) {
    fail(TransferFault::remoteFull, tr("The server could not write %1 (%2). Its disk or your quota there may be full.")
                                        .arg(m_job.remote, reply.message));
}

void SftpUpload::closePart() {
    const auto close = [this] { ask(sftpClose(m_handle), [this](const SftpReply&) { verify(); }); };
    if (!m_sftp->has("fsync@openssh.com"))
        return close();
    m_sftp->send(sftpSync(m_handle), [this, close](const SftpReply&) {
        if (!over() && !calledOff())
            close();
    });
}

void SftpUpload::verify() {
    hashThere(QString::fromUtf8(m_part), m_report.bytes, [this](const std::string& hash) {
        if (!hash.empty())
            return judge(hash);
        ask(sftpOpen(m_part, kSftpRead, 0), [this](const SftpReply& reply) { readBack(reply.payload); });
    });
}

void SftpUpload::readBack(const QByteArray& handle) {
    m_readHash = Sha256();
    m_readBack = std::make_unique<SftpReadAhead>(
        *m_sftp, handle, 0, static_cast<quint64>(m_report.bytes), m_limits.mostRead,
        [this](const QByteArray& bytes) {
            m_readHash.update(bytes.constData(), static_cast<size_t>(bytes.size()));
            return !calledOff();
        },
        [this, handle](SftpReadAhead::End, const SftpReply&) {
            if (over())
                return;
            ask(sftpClose(handle), [this](const SftpReply&) { judge(m_readHash.hex()); });
        });
    m_readBack->start();
}

void SftpUpload::judge(const std::string& hash) {
    if (hash == m_report.sha256) {
        m_report.verified = true;
        return publish();
    }
    if (m_report.resumedFrom > 0 && !m_wasAgain) {  // what was there before was not of this file
        m_wasAgain = true;
        return openPart(0);
    }
    ask(sftpRemove(m_part), [this](const SftpReply&) {
        fail(TransferFault::damaged, tr("What arrived as %1 is not what was sent: its hash is another. Perhaps %2 was "
                                        "changed on the way.")
                                         .arg(m_job.remote, m_file.fileName()));
    });
}

void SftpUpload::publish() {
    ask(sftpSetPermissions(m_part, m_job.permissions), [this](const SftpReply&) {
        if (m_sftp->has("posix-rename@openssh.com"))
            return ask(sftpPosixRename(m_part, m_remote), [this](const SftpReply&) { end(); });
        m_sftp->send(sftpRemove(m_remote), [this](const SftpReply&) {
            ask(sftpRename(m_part, m_remote), [this](const SftpReply&) { end(); });
        });
    });
}

}  // namespace unmask::ui
