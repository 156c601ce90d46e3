// SPDX-License-Identifier: Apache-2.0
// The bytes of one channel, both ways, in the thread of its session and in no other. What does not fit into the
// server's window waits here; what the listener has not taken yet is left in the channel, so that the server's window
// fills.
#pragma once

#include <libssh/callbacks.h>
#include <libssh/libssh.h>

#include <QByteArray>
#include <QString>
#include <atomic>
#include <deque>

#include "ui/remote/relay.h"

namespace unmask::ui {

struct ChannelEnd {
    int exitCode = -1;  // -1: none was said
    QString reason;     // where the link broke or the channel could not be opened; empty when the command just ended
};

// Called by the thread through the channel's relay.
struct ChannelEar {
    RelayPtr relay;
    std::function<void()> opened;
    std::function<void(const QByteArray&, bool isError)> received;
    std::function<void(qint64)> written;
    std::function<void(const ChannelEnd&)> ended;
    std::shared_ptr<std::atomic<qint64>> unread;  // bytes on their way to the listener
};

struct ChannelRequest {
    QByteArray text;  // a command line for the login shell, or the name of a subsystem
    bool subsystem = false;
};

class ChannelPump {
 public:
    ChannelPump(ssh_session session, ChannelRequest request, ChannelEar ear);
    ~ChannelPump();
    ChannelPump(const ChannelPump&) = delete;
    ChannelPump& operator=(const ChannelPump&) = delete;

    void write(const QByteArray& bytes) { m_toWrite.push_back(bytes); }
    void endInput() { m_inputEnds = true; }
    void close() { m_closeWanted = true; }  // its listener hears nothing more

    // True when something moved, so that looking again at once is worth it.
    bool turn();
    void finish(const QString& reason);
    bool over() const { return m_over; }

 private:
    enum class Stage { opening, requesting, open };
    bool openStage();
    bool readAll();
    bool writeAll();

    ssh_session m_session;
    ChannelRequest m_request;
    ChannelEar m_ear;
    Stage m_stage = Stage::opening;
    ssh_channel m_handle = nullptr;
    ssh_channel_callbacks_struct m_callbacks{};
    std::deque<QByteArray> m_toWrite;
    qsizetype m_firstSent = 0;  // bytes of the first piece that are gone
    bool m_inputEnds = false;
    bool m_inputEnded = false;
    bool m_closeWanted = false;
    bool m_over = false;
    int m_exitCode = -1;
};

}  // namespace unmask::ui
