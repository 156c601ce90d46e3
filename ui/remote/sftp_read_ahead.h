// SPDX-License-Identifier: Apache-2.0
// Reads a stretch of an open file with many requests under way and hands the bytes out in their order.
#pragma once

#include <map>

#include "ui/remote/sftp_client.h"

namespace unmask::ui {

class SftpReadAhead {
 public:
    enum class End { whole, shorter, refused, calledOff };  // shorter: the file ends before `until`
    using Take = std::function<bool(const QByteArray&)>;    // false: no more is wanted
    using Ended = std::function<void(End, const SftpReply&)>;

    SftpReadAhead(SftpClient& client, QByteArray handle, quint64 from, quint64 until, quint32 chunk, Take take,
                  Ended ended);
    void start() { askMore(); }
    quint64 position() const { return m_handedOut; }

 private:
    void askMore();
    void ask(quint64 offset, quint32 length);
    void onReply(quint64 offset, quint32 length, const SftpReply& reply);
    void handOut();
    void end(End end, const SftpReply& reply);

    SftpClient& m_client;
    const QByteArray m_handle;
    quint64 m_asked;
    quint64 m_handedOut;
    const quint64 m_until;
    const quint32 m_chunk;
    Take m_take;
    Ended m_ended;
    std::map<quint64, QByteArray> m_early;  // by offset: what came before its turn
    bool m_over = false;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

}  // namespace unmask::ui
