// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/server_link.h"

namespace unmask::ui {
namespace {

constexpr qint64 kLongSilenceMs = 8000;  // a bridge speaks each second

}  // namespace

ServerLink::ServerLink(SshRoute route, SshPlaces places, std::shared_ptr<SecretStore> secrets, SshTimes times,
                       QObject* parent)
    : QObject(parent),
      m_route(std::move(route)),
      m_places(std::move(places)),
      m_secrets(std::move(secrets)),
      m_times(times) {}

void ServerLink::want() {
    if (m_final)
        QMetaObject::invokeMethod(
            this, [this, failure = *m_final] { Q_EMIT failed(failure); }, Qt::QueuedConnection);
    else if (isOpen())
        QMetaObject::invokeMethod(this, &ServerLink::opened, Qt::QueuedConnection);
    else if (!m_session)
        begin();
}

void ServerLink::tryAgain() {
    m_final.reset();
    want();
}

void ServerLink::doubt() {
    if (!isOpen() || m_session->msSinceHeard() < kLongSilenceMs)
        return;
    drop();
    Q_EMIT failed({SshStep::ready, SshFault::lost, tr("The server has said nothing for a while.")});
}

void ServerLink::close() {
    drop();
}

void ServerLink::answer(quint64 question, SshAnswerPtr answer) {
    if (m_session)
        m_session->answer(question, std::move(answer));
}

void ServerLink::begin() {
    ++m_sessions;
    m_session = new SshSession(m_route, m_places, m_secrets, m_times, this);
    connect(m_session, &SshSession::stepReached, this, &ServerLink::stepReached);
    connect(m_session, &SshSession::questionAsked, this, &ServerLink::questionAsked);
    connect(m_session, &SshSession::opened, this, &ServerLink::opened);
    connect(m_session, &SshSession::failed, this, [this](const SshFailure& failure) {
        if (!failure.mayRetry())
            m_final = failure;
        drop();
        Q_EMIT failed(failure);
    });
    m_session->open();
}

void ServerLink::drop() {
    if (!m_session)
        return;
    m_session->disconnect(this);
    m_session->deleteLater();  // it may be its signal that brought us here
    m_session = nullptr;
}

}  // namespace unmask::ui
