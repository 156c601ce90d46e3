// SPDX-License-Identifier: Apache-2.0
// A file comes down beside its place, under a name that holds size and time of the one there, is compared by hash, and
// only then takes its place. What an earlier attempt left is gone on with where it is of the same file.
#pragma once

#include <QFile>

#include "ui/remote/sftp_read_ahead.h"
#include "ui/remote/transfer_work.h"

namespace unmask::ui {

class SftpDownload final : public TransferWork {
    Q_OBJECT

 public:
    SftpDownload(std::shared_ptr<SshThread> link, TransferJob job, TransferCallOff calledOff);

 private:
    bool prepare() override;
    void transfer() override;
    bool openPart(quint32 changedAt);
    void read(const QByteArray& handle);
    void onRead(SftpReadAhead::End end, const SftpReply& reply);
    void judge(const std::string& there);
    void publish();

    QFile m_file;
    Sha256 m_hash;
    std::unique_ptr<SftpReadAhead> m_reading;
};

}  // namespace unmask::ui
