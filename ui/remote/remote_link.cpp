// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/remote_link.h"

namespace unmask::ui {
namespace {

constexpr int kNotFound = 127;

}  // namespace

RemoteTransport::RemoteTransport(ServerLink* server, RemoteRun run, QObject* parent)
    : BridgeTransport(parent), m_server(server), m_run(std::move(run)) {}

RemoteTransport::~RemoteTransport() {
    stop();
}

void RemoteTransport::start(qint64 fromSeq) {
    m_from = std::max<qint64>(1, fromSeq);
    if (!m_server) {
        QMetaObject::invokeMethod(
            this, [this] { end(false, tr("The server was taken from the list.")); }, Qt::QueuedConnection);
        return;
    }
    connect(m_server, &ServerLink::opened, this, &RemoteTransport::attach);
    connect(m_server, &ServerLink::failed, this, [this](const SshFailure& failure) { end(false, failure.sentence); });
    m_server->want();
}

void RemoteTransport::attach() {
    if (m_command || m_over || !m_server || !m_server->isOpen())
        return;
    RemoteProgram program;
    program.words = {m_run.engine, QStringLiteral("attach"), m_run.run, QStringLiteral("--from"),
                     QString::number(m_from)};
    program.environment = m_run.environment;
    program.moreInput = true;
    RemoteLimits limits;
    limits.runMs = 0;
    limits.streams = true;
    m_command = new RemoteCommand(m_server->link(), program, limits, this);
    connect(m_command, &RemoteCommand::received, this, &RemoteTransport::bytesReceived);
    connect(m_command, &RemoteCommand::finished, this, &RemoteTransport::onFinished);
}

void RemoteTransport::write(const QByteArray& line) {
    if (m_command)
        m_command->write(line);
}

// RunLink stops a bridge that has fallen silent, so the session behind it is looked at.
void RemoteTransport::stop() {
    if (std::exchange(m_over, true))
        return;
    if (m_command)
        m_command->stop();
    if (m_server) {
        m_server->disconnect(this);
        m_server->doubt();
    }
}

void RemoteTransport::onFinished(const RemoteReply& reply) {
    if (reply.good())
        return end(true, {});
    if (reply.fault == RemoteFault::none && reply.exitCode == kNotFound)
        return end(false, tr("The engine is not on the server: %1").arg(reply.lastWords()));
    end(false, reply.lastWords());
}

void RemoteTransport::end(bool clean, const QString& reason) {
    if (std::exchange(m_over, true))
        return;
    if (m_server)
        m_server->disconnect(this);
    Q_EMIT ended(clean, reason);
}

TransportFactory remoteFactory(ServerLink* server, const RemoteRun& run) {
    return [link = QPointer<ServerLink>(server), run](QObject* parent) -> BridgeTransport* {
        return new RemoteTransport(link, run, parent);
    };
}

}  // namespace unmask::ui
