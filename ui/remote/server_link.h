// SPDX-License-Identifier: Apache-2.0
// The one session to a server that all who want something of it share. It is opened when somebody asks, and again after
// it was lost; what does not get better by trying again (a changed host key, a refused login) is not tried again by
// itself, so that no account is locked by a program that keeps guessing.
#pragma once

#include "ui/remote/ssh_session.h"

namespace unmask::ui {

class ServerLink final : public QObject {
    Q_OBJECT

 public:
    ServerLink(SshRoute route, SshPlaces places, std::shared_ptr<SecretStore> secrets, SshTimes times = {},
               QObject* parent = nullptr);

    void want();      // opens it where it is neither open nor being opened; opened or failed follows
    void tryAgain();  // by the user's wish: also after what is not tried again by itself
    void doubt();     // somebody waits in vain: where nothing was heard for long, the session is given up
    void close();
    void answer(quint64 question, SshAnswerPtr answer);

    bool isOpen() const { return m_session && m_session->isOpen(); }
    const std::shared_ptr<SshThread>& link() const { return m_session->link(); }  // while it is open
    int sessions() const { return m_sessions; }                                   // begun so far

 Q_SIGNALS:
    void stepReached(unmask::ui::SshStep step, const QString& host);
    void questionAsked(const unmask::ui::SshQuestion& question);
    void opened();
    void failed(const unmask::ui::SshFailure& failure);  // not opened, or lost

 private:
    void begin();
    void drop();

    SshRoute m_route;
    SshPlaces m_places;
    std::shared_ptr<SecretStore> m_secrets;
    SshTimes m_times;
    SshSession* m_session = nullptr;
    std::optional<SshFailure> m_final;
    int m_sessions = 0;
};

}  // namespace unmask::ui
