// SPDX-License-Identifier: Apache-2.0
// What upload and download share. Works in a thread of its own, so that neither the window nor the session's thread
// reads disks or hashes.
#pragma once

#include <QElapsedTimer>
#include <atomic>
#include <filesystem>
#include <memory>

#include "engine/base/sha256.h"
#include "ui/remote/remote_command.h"
#include "ui/remote/sftp_client.h"

namespace unmask::ui {

enum class TransferWay { upload, download };

struct TransferJob {
    TransferWay way = TransferWay::upload;
    std::filesystem::path local;
    QString remote;              // absolute; folders above it are made by an upload
    quint32 permissions = 0600;  // of the uploaded file
    std::string sha256;          // of a download where it is known; else what the server says it is
};

enum class TransferFault {
    none,
    cancelled,
    linkDown,    // the same job begun again on a new link goes on where this one ended
    localFile,   // cannot be read or written here
    remoteFile,  // cannot be read or written there
    remoteFull,  // not enough room there
    damaged,     // the bytes arrived, but their hash is another
};

struct TransferReport {
    TransferFault fault = TransferFault::none;
    QString sentence;  // where fault is not none
    qint64 bytes = 0;  // of the whole file
    qint64 resumedFrom = 0;
    std::string sha256;
    bool verified = false;  // the hash was compared with one that was computed at the other end
    bool wasThere = false;  // the same file lay there already; nothing was moved

    bool good() const { return fault == TransferFault::none; }
};

using TransferCallOff = std::shared_ptr<std::atomic<bool>>;

class TransferWork : public QObject {
    Q_OBJECT

 public:
    TransferWork(std::shared_ptr<SshThread> link, TransferJob job, TransferCallOff calledOff);
    void begin();
    bool calledOff();  // ends it where it is

 Q_SIGNALS:
    void progressed(qint64 done, qint64 total);
    void finished(const unmask::ui::TransferReport& report);  // once

 protected:
    virtual bool prepare() = 0;  // what can be done here before the server is asked; false: it has failed
    virtual void transfer() = 0;

    using Answered = SftpClient::Answered;
    // Fails in words where the server refuses.
    void ask(const SftpRequest& request, Answered answered);
    void sayRefused(const SftpReply& reply);
    // Empty where the server has no program for it.
    void hashThere(const QString& path, qint64 bytes, std::function<void(const std::string&)> then);
    // Of the first `bytes` bytes; false when it has failed.
    bool hashHere(const std::filesystem::path& file, qint64 bytes, Sha256& hash);
    void progress(qint64 done);
    void fail(TransferFault fault, const QString& sentence);
    void end();
    bool over() const { return m_over; }

    const TransferJob m_job;
    const QByteArray m_remote;
    TransferReport m_report;
    SftpLimits m_limits;
    SftpClient* m_sftp = nullptr;

 private:
    std::shared_ptr<SshThread> m_link;
    TransferCallOff m_calledOff;
    QElapsedTimer m_sinceProgress;
    bool m_over = false;
};

}  // namespace unmask::ui

Q_DECLARE_METATYPE(unmask::ui::TransferReport)
