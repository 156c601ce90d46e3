// SPDX-License-Identifier: Apache-2.0
// The bridge as a child process on this computer.
#pragma once

#include <QProcess>

#include "ui/client/bridge_transport.h"

namespace unmask::ui {

class ProcessTransport final : public BridgeTransport {
    Q_OBJECT

 public:
    // `run`: folder of the run.
    ProcessTransport(QString program, QString run, QObject* parent = nullptr);
    ~ProcessTransport() override;

    void start(qint64 fromSeq) override;
    void write(const QByteArray& line) override;
    void stop() override;

 private:
    void onFinished(int exitCode, QProcess::ExitStatus status);

    QString m_program;
    QString m_run;
    QProcess m_process;
    QByteArray m_errorTail;
};

}  // namespace unmask::ui
