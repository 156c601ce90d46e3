// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/sftp_read_ahead.h"

namespace unmask::ui {
namespace {

constexpr quint64 kWindow = quint64{4} << 20;  // asked for and not handed out yet

}  // namespace

SftpReadAhead::SftpReadAhead(SftpClient& client, QByteArray handle, quint64 from, quint64 until, quint32 chunk,
                             Take take, Ended ended)
    : m_client(client),
      m_handle(std::move(handle)),
      m_asked(from),
      m_handedOut(from),
      m_until(until),
      m_chunk(chunk),
      m_take(std::move(take)),
      m_ended(std::move(ended)) {}

void SftpReadAhead::askMore() {
    while (!m_over && m_asked < m_until && m_asked - m_handedOut < kWindow) {
        const auto length = static_cast<quint32>(std::min<quint64>(m_chunk, m_until - m_asked));
        const quint64 offset = m_asked;
        m_asked += length;
        ask(offset, length);
    }
    if (!m_over && m_handedOut == m_until)
        end(End::whole, {});
}

void SftpReadAhead::ask(quint64 offset, quint32 length) {
    m_client.send(sftpReadAt(m_handle, offset, length),
                  [this, offset, length, alive = std::weak_ptr<bool>(m_alive)](const SftpReply& reply) {
                      if (!alive.expired())
                          onReply(offset, length, reply);
                  });
}

void SftpReadAhead::onReply(quint64 offset, quint32 length, const SftpReply& reply) {
    if (m_over)
        return;
    if (reply.kind == SftpReply::Kind::status && reply.status == SftpStatus::endOfFile)
        return end(End::shorter, reply);
    const auto got = static_cast<quint32>(reply.payload.size());
    if (reply.kind != SftpReply::Kind::data || got == 0 || got > length)
        return end(End::refused, reply);
    m_early.emplace(offset, reply.payload);
    if (got < length)  // a server may give less than was asked for
        ask(offset + got, length - got);
    handOut();
    askMore();
}

void SftpReadAhead::handOut() {
    for (auto next = m_early.begin(); next != m_early.end() && next->first == m_handedOut; next = m_early.begin()) {
        const QByteArray bytes = std::move(next->second);
        m_early.erase(next);
        m_handedOut += static_cast<quint64>(bytes.size());
        if (!m_take(bytes))
            return end(End::calledOff, {});
    }
}

void SftpReadAhead::end(End how, const SftpReply& reply) {
    if (std::exchange(m_over, true))
        return;
    const Ended ended = m_ended;  // it may be our end
    ended(how, reply);
}

}  // namespace unmask::ui
