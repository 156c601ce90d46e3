// SPDX-License-Identifier: Apache-2.0
// A file goes up under a name of its own that holds its hash, is hashed there, and only then takes the name that was
// asked for. What an earlier attempt left under the first name is gone on with.
#pragma once

#include <QFile>

#include "ui/remote/sftp_read_ahead.h"
#include "ui/remote/transfer_work.h"

namespace unmask::ui {

class SftpUpload final : public TransferWork {
    Q_OBJECT

 public:
    SftpUpload(std::shared_ptr<SshThread> link, TransferJob job, TransferCallOff calledOff);

 private:
    bool prepare() override;
    void transfer() override;
    void makeFolders(qsizetype from);
    void checkRoom();
    void lookForPart();
    void openPart(qint64 size);
    void writeMore();
    void onWritten(qint64 length);
    void sayNotWritten(const SftpReply& reply);
    void closePart();
    void verify();
    void readBack(const QByteArray& handle);
    void judge(const std::string& hash);
    void publish();

    QFile m_file;
    QByteArray m_part;
    QByteArray m_handle;
    qint64 m_next = 0;     // what is sent next
    qint64 m_written = 0;  // what the server has said to be written
    bool m_wasAgain = false;
    std::unique_ptr<SftpReadAhead> m_readBack;
    Sha256 m_readHash;
};

}  // namespace unmask::ui
