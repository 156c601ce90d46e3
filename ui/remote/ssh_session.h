// SPDX-License-Identifier: Apache-2.0
// A connection to a server as the window sees it: nothing here waits. Questions come as signals and are answered later.
#pragma once

#include "ui/remote/ssh_thread.h"

namespace unmask::ui {

// One command or subsystem. Lives in the thread that made it.
class SshChannel final : public QObject {
    Q_OBJECT

 public:
    SshChannel(std::shared_ptr<SshThread> thread, const QByteArray& request, bool subsystem, QObject* parent = nullptr);
    ~SshChannel() override;

    void write(const QByteArray& bytes);
    void endInput();

 Q_SIGNALS:
    void opened();
    void received(const QByteArray& bytes);
    void errorReceived(const QByteArray& bytes);
    void written(qint64 bytes);
    void ended(const unmask::ui::ChannelEnd& end);

 private:
    std::shared_ptr<SshThread> m_thread;
    RelayPtr m_relay;
    quint64 m_id = 0;
};

class SshSession final : public QObject {
    Q_OBJECT

 public:
    SshSession(SshRoute route, SshPlaces places, std::shared_ptr<SecretStore> secrets, SshTimes times = {},
               QObject* parent = nullptr);
    ~SshSession() override;

    void open();
    void answer(quint64 question, SshAnswerPtr answer);  // null: cancelled
    bool isOpen() const { return m_open; }
    SshChannel* exec(const QByteArray& fixedCommand, QObject* parent);
    SshChannel* subsystem(const QByteArray& name, QObject* parent);
    // For those who make channels of their own, in any thread. Null before open().
    const std::shared_ptr<SshThread>& link() const { return m_thread; }
    qint64 msSinceHeard() const { return m_thread ? m_thread->msSinceHeard() : 0; }

 Q_SIGNALS:
    void stepReached(unmask::ui::SshStep step, const QString& host);
    void questionAsked(const unmask::ui::SshQuestion& question);
    void opened();
    void failed(const unmask::ui::SshFailure& failure);  // not opened, or lost later; the object is of no use then

 private:
    SshRoute m_route;
    SshPlaces m_places;
    std::shared_ptr<SecretStore> m_secrets;
    SshTimes m_times;
    RelayPtr m_relay;
    std::shared_ptr<SshThread> m_thread;
    bool m_open = false;
};

}  // namespace unmask::ui
