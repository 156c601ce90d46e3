// SPDX-License-Identifier: Apache-2.0
// Asks a server what it has, by one script that needs nothing but /bin/sh and changes nothing there.
#pragma once

#include "ui/remote/remote_command.h"
#include "ui/remote/server_facts.h"

namespace unmask::ui {

struct ProbeReport {
    ServerFacts facts;
    QString problem;  // sentence where the server could not be asked, or not to the end; facts hold what came
};

class ServerProbe final : public QObject {
    Q_OBJECT

 public:
    // `environment`: the lines of the server's entry; PATH says where its tools lie, UNMASK_TORCH_DIR names a LibTorch.
    ServerProbe(std::shared_ptr<SshThread> link, const QStringList& environment, QObject* parent = nullptr);

 Q_SIGNALS:
    void finished(const unmask::ui::ProbeReport& report);

 private:
    RemoteCommand* m_command;
    double m_secondsHere = 0;  // when the script began
};

}  // namespace unmask::ui

Q_DECLARE_METATYPE(unmask::ui::ProbeReport)
