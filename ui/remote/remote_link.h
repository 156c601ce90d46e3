// SPDX-License-Identifier: Apache-2.0
// The bridge on a server: `unmask-engine attach` over one channel of the server's session. RunLink keeps the time
// between attempts; each attempt asks for the session anew.
#pragma once

#include <QPointer>

#include "ui/client/bridge_transport.h"
#include "ui/remote/remote_command.h"
#include "ui/remote/server_link.h"

namespace unmask::ui {

struct RemoteRun {
    QString engine;           // path of unmask-engine there
    QString run;              // folder of the run there
    QStringList environment;  // what the engine needs to be started
};

class RemoteTransport final : public BridgeTransport {
    Q_OBJECT

 public:
    RemoteTransport(ServerLink* server, RemoteRun run, QObject* parent = nullptr);
    ~RemoteTransport() override;

    void start(qint64 fromSeq) override;
    void write(const QByteArray& line) override;
    void stop() override;

 private:
    void attach();
    void onFinished(const RemoteReply& reply);
    void end(bool clean, const QString& reason);

    QPointer<ServerLink> m_server;
    RemoteRun m_run;
    qint64 m_from = 1;
    RemoteCommand* m_command = nullptr;
    bool m_over = false;
};

// For RunLink. `server` may die first: attempts then end with a sentence.
TransportFactory remoteFactory(ServerLink* server, const RemoteRun& run);

}  // namespace unmask::ui
