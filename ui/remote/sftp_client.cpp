// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/sftp_client.h"

#include <QPointer>

namespace unmask::ui {

SftpClient::SftpClient(std::shared_ptr<SshThread> link, QObject* parent)
    : QObject(parent), m_channel(new SshChannel(std::move(link), "sftp", true, this)) {
    connect(m_channel, &SshChannel::received, this, &SftpClient::onReceived);
    connect(m_channel, &SshChannel::ended, this, [this](const ChannelEnd& end) {
        fail(!end.reason.isEmpty() ? end.reason
             : m_ready             ? tr("The server ended the transfer of files.")
                                   : tr("The server offers no transfer of files (SFTP)."));
    });
    m_channel->write(sftpHello());
}

void SftpClient::send(const SftpRequest& request, Answered answered) {
    const quint32 id = ++m_next;
    m_waiting.emplace(id, std::move(answered));
    m_channel->write(sftpPacket(request, id));
}

void SftpClient::onReceived(const QByteArray& bytes) {
    std::vector<SftpReply> replies;
    const bool good = m_reader.take(bytes, replies);
    const QPointer<SftpClient> self(this);  // an answer may bring our end
    for (const SftpReply& reply : replies) {
        take(reply);
        if (!self || m_over)
            return;
    }
    if (!good)
        fail(tr("The server's answer is no SFTP. Does something print on that channel, such as a line in .bashrc?"));
}

void SftpClient::take(const SftpReply& reply) {
    if (!m_ready) {
        if (reply.kind != SftpReply::Kind::version)
            return fail(
                tr("The server's answer is no SFTP. Does something print on that channel, such as a line in "
                   ".bashrc?"));
        m_extensions = reply.extensions;
        m_ready = true;
        Q_EMIT ready();
        return;
    }
    const auto found = m_waiting.find(reply.id);
    if (found == m_waiting.end())
        return fail(tr("The server answered a request that was never made."));
    const Answered answered = std::move(found->second);
    m_waiting.erase(found);
    answered(reply);
}

void SftpClient::fail(const QString& sentence) {
    if (m_over)
        return;
    m_over = true;
    m_waiting.clear();
    Q_EMIT failed(sentence);
}

}  // namespace unmask::ui
