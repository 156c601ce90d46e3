// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/channel_pump.h"

#include <QCoreApplication>
#include <array>

namespace unmask::ui {
namespace {

constexpr qint64 kMostUnread = qint64{8} << 20;  // then the server's window is left to fill

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::ChannelPump)
};

}  // namespace

ChannelPump::ChannelPump(ssh_session session, ChannelRequest request, ChannelEar ear)
    : m_session(session), m_request(std::move(request)), m_ear(std::move(ear)) {}

ChannelPump::~ChannelPump() {
    if (m_handle)
        ssh_channel_free(m_handle);
}

bool ChannelPump::turn() {
    if (m_closeWanted) {
        if (m_handle)
            ssh_channel_close(m_handle);
        m_over = true;
        return true;
    }
    if (m_stage != Stage::open)
        return openStage();
    const bool wrote = writeAll();
    const bool read = readAll();
    if (!read && *m_ear.unread == 0 && ssh_channel_is_closed(m_handle))
        finish({});
    return wrote || read || m_over;
}

bool ChannelPump::openStage() {
    if (!m_handle) {
        m_handle = ssh_channel_new(m_session);
        m_callbacks.userdata = this;
        m_callbacks.channel_exit_status_function = [](ssh_session, ssh_channel, int status, void* data) {
            static_cast<ChannelPump*>(data)->m_exitCode = status;
        };
        ssh_callbacks_init(&m_callbacks);
        ssh_set_channel_callbacks(m_handle, &m_callbacks);
    }
    int state = SSH_AGAIN;
    if (m_stage == Stage::opening)
        state = ssh_channel_open_session(m_handle);
    else if (m_request.subsystem)
        state = ssh_channel_request_subsystem(m_handle, m_request.text.constData());
    else
        state = ssh_channel_request_exec(m_handle, m_request.text.constData());
    if (state == SSH_AGAIN)
        return false;
    if (state != SSH_OK) {
        finish(Words::tr("The server opened no channel: %1").arg(QString::fromUtf8(ssh_get_error(m_session))));
        return true;
    }
    if (m_stage == Stage::opening) {
        m_stage = Stage::requesting;
        return true;
    }
    m_stage = Stage::open;
    m_ear.relay->post(m_ear.opened);
    return true;
}

bool ChannelPump::writeAll() {
    qint64 moved = 0;
    while (!m_toWrite.empty()) {
        const QByteArray& first = m_toWrite.front();
        const int sent = ssh_channel_write(m_handle, first.constData() + m_firstSent,
                                           static_cast<uint32_t>(first.size() - m_firstSent));
        if (sent <= 0 && m_firstSent < first.size())
            break;
        m_firstSent += std::max(sent, 0);
        moved += std::max(sent, 0);
        if (m_firstSent == first.size()) {
            m_toWrite.pop_front();
            m_firstSent = 0;
        }
    }
    if (moved > 0)
        m_ear.relay->post([written = m_ear.written, moved] { written(moved); });
    if (m_toWrite.empty() && m_inputEnds && !m_inputEnded) {
        m_inputEnded = true;
        ssh_channel_send_eof(m_handle);
    }
    return moved > 0;
}

bool ChannelPump::readAll() {
    static thread_local std::array<char, 65536> buffer;
    bool moved = false;
    for (const bool isError : {false, true})
        while (*m_ear.unread < kMostUnread) {
            const int got = ssh_channel_read_nonblocking(m_handle, buffer.data(), buffer.size(), isError ? 1 : 0);
            if (got <= 0)
                break;
            *m_ear.unread += got;
            m_ear.relay->post([received = m_ear.received, bytes = QByteArray(buffer.data(), got), isError] {
                received(bytes, isError);
            });
            moved = true;
        }
    return moved;
}

void ChannelPump::finish(const QString& reason) {
    if (m_over)
        return;
    m_over = true;
    m_ear.relay->post([ended = m_ear.ended, end = ChannelEnd{m_exitCode, reason}] { ended(end); });
}

}  // namespace unmask::ui
