// SPDX-License-Identifier: Apache-2.0
// One file between here and a server, as the window sees it. One link, one attempt: where the link breaks, the same job
// on a new link goes on.
#pragma once

#include <QThread>

#include "ui/remote/transfer_work.h"

namespace unmask::ui {

class SftpTransfer final : public QObject {
    Q_OBJECT

 public:
    SftpTransfer(std::shared_ptr<SshThread> link, const TransferJob& job, QObject* parent = nullptr);
    ~SftpTransfer() override;

    void cancel();  // what has arrived stays for a later attempt

 Q_SIGNALS:
    void progressed(qint64 done, qint64 total);
    void finished(const unmask::ui::TransferReport& report);

 private:
    TransferCallOff m_calledOff = std::make_shared<std::atomic<bool>>(false);
    TransferWork* m_work = nullptr;
    QThread m_thread;
};

}  // namespace unmask::ui
