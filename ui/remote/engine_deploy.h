// SPDX-License-Identifier: Apache-2.0
// Brings the engine to a server: asks what is there, says why not before anything is moved, uploads the archive once
// per content, unpacks it under ~/.cache/unmask, checks every file and tries it out. Needs no root; begun again it goes
// on.
#pragma once

#include "ui/remote/engine_bundle.h"
#include "ui/remote/server_probe.h"
#include "ui/remote/sftp_transfer.h"

namespace unmask::ui {

enum class DeployStep { probe, upload, unpack, tryOut };
QString deployStepName(DeployStep step);

struct DeployReport {
    DeployProblem problem;
    ServerFacts facts;
    QString folder;           // of this engine there
    QString engine;           // path of unmask-engine there
    QStringList environment;  // what it needs to be started
    bool wasThere = false;    // nothing had to be moved
    bool good() const { return problem.fault == DeployFault::none; }
};

class EngineDeploy final : public QObject {
    Q_OBJECT

 public:
    // `environment`: the lines of the server's entry. Begins at once.
    EngineDeploy(std::shared_ptr<SshThread> link, EngineBundle bundle, QStringList environment,
                 QObject* parent = nullptr);

 Q_SIGNALS:
    void stepReached(unmask::ui::DeployStep step);
    void progressed(qint64 done, qint64 total);
    void finished(const unmask::ui::DeployReport& report);  // once

 private:
    void begin();
    void onProbed(const ProbeReport& report);
    void upload();
    void onUploaded(const TransferReport& report);
    void unpack();
    void tryOut();
    void onTried(const RemoteReply& reply);
    RemoteCommand* run(const RemoteProgram& program);
    void fail(DeployFault fault, const QString& sentence);

    std::shared_ptr<SshThread> m_link;
    const EngineBundle m_bundle;
    const QStringList m_environment;
    DeployReport m_report;
    std::string m_hash;
    QString m_archive;  // there
};

}  // namespace unmask::ui

Q_DECLARE_METATYPE(unmask::ui::DeployReport)
