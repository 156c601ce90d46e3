// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/ssh_session.h"

namespace unmask::ui {

SshChannel::SshChannel(std::shared_ptr<SshThread> thread, const QByteArray& request, bool subsystem, QObject* parent)
    : QObject(parent), m_thread(std::move(thread)), m_relay(std::make_shared<Relay>(this)) {
    ChannelEar ear;
    ear.relay = m_relay;
    ear.unread = std::make_shared<std::atomic<qint64>>(0);
    ear.opened = [this] { Q_EMIT opened(); };
    ear.received = [this, unread = ear.unread](const QByteArray& bytes, bool isError) {
        *unread -= bytes.size();
        m_thread->wake();
        if (isError)
            Q_EMIT errorReceived(bytes);
        else
            Q_EMIT received(bytes);
    };
    ear.written = [this](qint64 bytes) { Q_EMIT written(bytes); };
    ear.ended = [this](const ChannelEnd& end) { Q_EMIT ended(end); };
    m_id = m_thread->openChannel({request, subsystem}, std::move(ear));
}

SshChannel::~SshChannel() {
    m_relay->cut();
    m_thread->closeChannel(m_id);
}

void SshChannel::write(const QByteArray& bytes) {
    m_thread->write(m_id, bytes);
}

void SshChannel::endInput() {
    m_thread->endInput(m_id);
}

SshSession::SshSession(SshRoute route, SshPlaces places, std::shared_ptr<SecretStore> secrets, SshTimes times,
                       QObject* parent)
    : QObject(parent),
      m_route(std::move(route)),
      m_places(std::move(places)),
      m_secrets(std::move(secrets)),
      m_times(times),
      m_relay(std::make_shared<Relay>(this)) {}

SshSession::~SshSession() {
    m_relay->cut();
    if (m_thread)
        m_thread->stop();
}

void SshSession::open() {
    SshThread::Ear ear;
    ear.relay = m_relay;
    ear.stepReached = [this](SshStep step, const QString& host) { Q_EMIT stepReached(step, host); };
    ear.asked = [this](const SshQuestion& question) { Q_EMIT questionAsked(question); };
    ear.opened = [this] {
        m_open = true;
        Q_EMIT opened();
    };
    ear.failed = [this](const SshFailure& failure) {
        m_open = false;
        Q_EMIT failed(failure);
    };
    m_thread = std::make_shared<SshThread>(m_route, m_places, m_times, m_secrets, std::move(ear));
}

void SshSession::answer(quint64 question, SshAnswerPtr answer) {
    if (m_thread)
        m_thread->answer(question, std::move(answer));
}

SshChannel* SshSession::exec(const QByteArray& fixedCommand, QObject* parent) {
    return new SshChannel(m_thread, fixedCommand, false, parent);
}

SshChannel* SshSession::subsystem(const QByteArray& name, QObject* parent) {
    return new SshChannel(m_thread, name, true, parent);
}

}  // namespace unmask::ui
