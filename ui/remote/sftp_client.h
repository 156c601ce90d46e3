// SPDX-License-Identifier: Apache-2.0
// Requests over one SFTP channel, as many under way as the caller likes, each with what to do when its reply comes.
// Lives in the thread that made it; needs an event loop there.
#pragma once

#include <functional>
#include <unordered_map>

#include "ui/remote/sftp_packets.h"
#include "ui/remote/ssh_session.h"

namespace unmask::ui {

class SftpClient final : public QObject {
    Q_OBJECT

 public:
    using Answered = std::function<void(const SftpReply&)>;
    explicit SftpClient(std::shared_ptr<SshThread> link, QObject* parent = nullptr);

    void send(const SftpRequest& request, Answered answered);
    bool has(const QByteArray& extension) const { return m_extensions.contains(extension); }

 Q_SIGNALS:
    void ready();
    void failed(const QString& sentence);  // once; no reply comes any more

 private:
    void onReceived(const QByteArray& bytes);
    void take(const SftpReply& reply);
    void fail(const QString& sentence);

    SshChannel* m_channel;
    SftpReader m_reader;
    std::unordered_map<quint32, Answered> m_waiting;
    quint32 m_next = 0;
    QMap<QByteArray, QByteArray> m_extensions;
    bool m_ready = false;
    bool m_over = false;
};

}  // namespace unmask::ui
