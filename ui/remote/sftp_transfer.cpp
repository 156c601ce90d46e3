// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/sftp_transfer.h"

#include "ui/remote/sftp_download.h"
#include "ui/remote/sftp_upload.h"

namespace unmask::ui {

SftpTransfer::SftpTransfer(std::shared_ptr<SshThread> link, const TransferJob& job, QObject* parent) : QObject(parent) {
    if (job.way == TransferWay::upload)
        m_work = new SftpUpload(std::move(link), job, m_calledOff);
    else
        m_work = new SftpDownload(std::move(link), job, m_calledOff);
    m_work->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_work, &QObject::deleteLater);
    connect(&m_thread, &QThread::started, m_work, &TransferWork::begin);
    connect(m_work, &TransferWork::progressed, this, &SftpTransfer::progressed);
    connect(m_work, &TransferWork::finished, this, &SftpTransfer::finished);
    m_thread.setObjectName(QStringLiteral("transfer"));
    m_thread.start();
}

SftpTransfer::~SftpTransfer() {
    *m_calledOff = true;
    m_thread.quit();
    m_thread.wait();
}

void SftpTransfer::cancel() {
    *m_calledOff = true;  // seen by a long hashing too
    QMetaObject::invokeMethod(m_work, &TransferWork::calledOff, Qt::QueuedConnection);
}

}  // namespace unmask::ui
