// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/sftp_download.h"

#include <unistd.h>

#include "ui/settings/path_text.h"

namespace unmask::ui {

SftpDownload::SftpDownload(std::shared_ptr<SshThread> link, TransferJob job, TransferCallOff calledOff)
    : TransferWork(std::move(link), std::move(job), std::move(calledOff)) {}

bool SftpDownload::prepare() {
    std::error_code error;
    std::filesystem::create_directories(m_job.local.parent_path(), error);
    if (error)
        fail(TransferFault::localFile,
             tr("%1 cannot be made: %2")
                 .arg(fromPath(m_job.local.parent_path()), QString::fromLocal8Bit(error.message().c_str())));
    return !error;
}

void SftpDownload::transfer() {
    ask(sftpStat(m_remote), [this](const SftpReply& reply) {
        if (reply.kind != SftpReply::Kind::attributes || !reply.attributes.isRegular() || !reply.attributes.size)
            return fail(TransferFault::remoteFile, tr("%1 on the server is no file.").arg(m_job.remote));
        const quint64 size = *reply.attributes.size;
        if (size > quint64{1} << 62)
            return fail(TransferFault::remoteFile,
                        tr("%1 on the server has no size that makes sense.").arg(m_job.remote));
        m_report.bytes = static_cast<qint64>(size);
        if (!openPart(reply.attributes.changedAt.value_or(0)))
            return;
        ask(sftpOpen(m_remote, kSftpRead, 0), [this](const SftpReply& opened) { read(opened.payload); });
    });
}

bool SftpDownload::openPart(quint32 changedAt) {
    m_file.setFileName(fromPath(m_job.local) + QStringLiteral(".part-%1-%2").arg(m_report.bytes).arg(changedAt));
    if (!m_file.open(QIODevice::ReadWrite)) {
        fail(TransferFault::localFile, tr("%1 cannot be written: %2").arg(m_file.fileName(), m_file.errorString()));
        return false;
    }
    m_file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    if (m_file.size() > m_report.bytes)
        m_file.resize(0);
    const qint64 there = m_file.size();
    if (!hashHere(toPath(m_file.fileName()), there, m_hash))
        return false;
    m_report.resumedFrom = there;
    return m_file.seek(there);
}

void SftpDownload::read(const QByteArray& handle) {
    m_reading = std::make_unique<SftpReadAhead>(
        *m_sftp, handle, static_cast<quint64>(m_report.resumedFrom), static_cast<quint64>(m_report.bytes),
        m_limits.mostRead,
        [this](const QByteArray& bytes) {
            m_hash.update(bytes.constData(), static_cast<size_t>(bytes.size()));
            if (m_file.write(bytes) != bytes.size())
                fail(TransferFault::localFile,
                     tr("%1 cannot be written: %2").arg(m_file.fileName(), m_file.errorString()));
            else
                progress(static_cast<qint64>(m_reading->position()));
            return !over() && !calledOff();
        },
        [this](SftpReadAhead::End end, const SftpReply& reply) { onRead(end, reply); });
    m_reading->start();
}

void SftpDownload::onRead(SftpReadAhead::End how, const SftpReply& reply) {
    if (over())
        return;
    if (how == SftpReadAhead::End::refused)
        return sayRefused(reply);
    if (how == SftpReadAhead::End::shorter)
        return fail(TransferFault::remoteFile, tr("%1 became shorter while it was read.").arg(m_job.remote));
    m_report.sha256 = m_hash.hex();
    if (!m_job.sha256.empty())
        return judge(m_job.sha256);
    hashThere(m_job.remote, m_report.bytes, [this](const std::string& hash) { judge(hash); });
}

// Without a hash of the other side the bytes are still those that the link carried, which it proves by itself.
void SftpDownload::judge(const std::string& there) {
    if (there.empty() || there == m_report.sha256) {
        m_report.verified = !there.empty();
        return publish();
    }
    m_file.remove();
    fail(TransferFault::damaged,
         tr("What came from %1 is not what lies there: its hash is another. Perhaps it is being "
            "written.")
             .arg(m_job.remote));
}

void SftpDownload::publish() {
    const bool safe = m_file.flush() && ::fsync(m_file.handle()) == 0;
    m_file.close();
    std::error_code error;
    if (safe)
        std::filesystem::rename(toPath(m_file.fileName()), m_job.local, error);
    if (!safe || error)
        return fail(TransferFault::localFile,
                    tr("%1 cannot be written: %2")
                        .arg(fromPath(m_job.local),
                             safe ? QString::fromLocal8Bit(error.message().c_str()) : m_file.errorString()));
    end();
}

}  // namespace unmask::ui
