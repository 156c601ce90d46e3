// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/transfer_work.h"

#include <QFile>

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr qint64 kProgressMs = 100;
constexpr qint64 kHashChunk = 1 << 20;
constexpr int kSlowestHashBytesMs = 20'000;  // 20 MB/s

// The path is $1. What prints nothing has no program for it.
constexpr const char* kHashScript =
    "if command -v sha256sum >/dev/null 2>&1; then sha256sum <\"$1\"\n"
    "elif command -v shasum >/dev/null 2>&1; then shasum -a 256 <\"$1\"\n"
    "elif command -v openssl >/dev/null 2>&1; then openssl dgst -sha256 -r <\"$1\"\n"
    "fi";

bool isHash(const QByteArray& text) {
    return text.size() == 64 && std::all_of(text.begin(), text.end(),
                                            [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

TransferWork::TransferWork(std::shared_ptr<SshThread> link, TransferJob job, TransferCallOff calledOff)
    : m_job(std::move(job)),
      m_remote(m_job.remote.toUtf8()),
      m_link(std::move(link)),
      m_calledOff(std::move(calledOff)) {}

void TransferWork::begin() {
    m_sinceProgress.start();
    if (!m_remote.startsWith('/') || m_remote.contains('\0'))
        return fail(TransferFault::remoteFile, tr("%1 is no whole path on the server.").arg(m_job.remote));
    if (!prepare())
        return;
    m_sftp = new SftpClient(m_link, this);
    connect(m_sftp, &SftpClient::failed, this,
            [this](const QString& sentence) { fail(TransferFault::linkDown, sentence); });
    connect(m_sftp, &SftpClient::ready, this, [this] {
        if (!m_sftp->has("limits@openssh.com"))
            return transfer();
        m_sftp->send(sftpLimits(), [this](const SftpReply& reply) {
            if (reply.kind == SftpReply::Kind::extended)
                m_limits = readSftpLimits(reply.payload);
            transfer();
        });
    });
}

void TransferWork::ask(const SftpRequest& request, Answered answered) {
    m_sftp->send(request, [this, answered = std::move(answered)](const SftpReply& reply) {
        if (m_over || calledOff())
            return;
        if (reply.ok())
            answered(reply);
        else
            sayRefused(reply);
    });
}

void TransferWork::sayRefused(const SftpReply& reply) {
    switch (reply.status) {
        case SftpStatus::noSuchFile:
            return fail(TransferFault::remoteFile, tr("There is no %1 on the server.").arg(m_job.remote));
        case SftpStatus::denied:
            return fail(TransferFault::remoteFile,
                        tr("The account on the server may not use %1 in this way.").arg(m_job.remote));
        default:
            fail(TransferFault::remoteFile,
                 tr("The server refused something with %1: %2").arg(m_job.remote, reply.message));
    }
}

void TransferWork::hashThere(const QString& path, qint64 bytes, std::function<void(const std::string&)> then) {
    RemoteProgram program;
    program.script = kHashScript;
    program.words = {path};
    RemoteLimits limits;
    limits.runMs = 60'000 + static_cast<int>(std::min<qint64>(bytes / kSlowestHashBytesMs, 24 * 3'600'000));
    auto* command = new RemoteCommand(m_link, program, limits, this);
    connect(command, &RemoteCommand::finished, this, [this, command, then](const RemoteReply& reply) {
        command->deleteLater();
        if (m_over || calledOff())
            return;
        if (reply.fault == RemoteFault::linkDown)
            return fail(TransferFault::linkDown, reply.sentence);
        const QByteArray hash = reply.output.left(64);
        then(reply.good() && isHash(hash) ? hash.toStdString() : std::string());
    });
}

bool TransferWork::hashHere(const std::filesystem::path& file, qint64 bytes, Sha256& hash) {
    QFile source(fromPath(file));
    if (!source.open(QIODevice::ReadOnly)) {
        fail(TransferFault::localFile, tr("%1 cannot be read: %2").arg(fromPath(file), source.errorString()));
        return false;
    }
    QByteArray chunk(kHashChunk, Qt::Uninitialized);
    for (qint64 left = bytes; left > 0;) {
        if (calledOff())
            return false;
        const qint64 got = source.read(chunk.data(), std::min<qint64>(left, kHashChunk));
        if (got <= 0) {
            fail(TransferFault::localFile, tr("%1 became shorter while it was read.").arg(fromPath(file)));
            return false;
        }
        hash.update(chunk.constData(), static_cast<size_t>(got));
        left -= got;
    }
    return true;
}

void TransferWork::progress(qint64 done) {
    if (done != m_report.bytes && m_sinceProgress.elapsed() < kProgressMs)
        return;
    m_sinceProgress.restart();
    Q_EMIT progressed(done, m_report.bytes);
}

bool TransferWork::calledOff() {
    if (*m_calledOff)
        fail(TransferFault::cancelled, tr("The transfer was cancelled."));
    return *m_calledOff;
}

void TransferWork::fail(TransferFault fault, const QString& sentence) {
    if (m_over)
        return;
    m_report.fault = fault;
    m_report.sentence = sentence;
    end();
}

void TransferWork::end() {
    if (std::exchange(m_over, true))
        return;
    if (m_sftp)
        m_sftp->deleteLater();
    Q_EMIT finished(m_report);
}

}  // namespace unmask::ui
