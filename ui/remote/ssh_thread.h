// SPDX-License-Identifier: Apache-2.0
// The thread that owns one libssh session and all of its channels: libssh allows no other thread near them. Everything
// said to it is posted; what it says arrives as queued calls.
#pragma once

#include <QObject>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "ui/remote/channel_pump.h"
#include "ui/remote/ssh_config.h"
#include "ui/remote/ssh_words.h"
#include "ui/remote/tcp_line.h"

namespace unmask::ui {

class JumpPump;

struct SshTimes {
    int connectMs = 15000;    // for each stage
    int keepAliveMs = 30000;  // between questions whether the server is still there
    int silenceMs = 90000;    // nothing heard for so long: the link is down
};

class SshThread {
 public:
    struct Ear {
        RelayPtr relay;
        std::function<void(SshStep, const QString& host)> stepReached;
        std::function<void(const SshQuestion&)> asked;
        std::function<void()> opened;
        std::function<void(const SshFailure&)> failed;
    };
    SshThread(SshRoute route, SshPlaces places, SshTimes times, std::shared_ptr<SecretStore> secrets, Ear ear);
    ~SshThread();
    SshThread(const SshThread&) = delete;
    SshThread& operator=(const SshThread&) = delete;

    void stop();  // from any thread; returns at once
    void answer(quint64 question, SshAnswerPtr answer);

    quint64 openChannel(ChannelRequest request, ChannelEar ear);  // its number
    void write(quint64 channel, const QByteArray& bytes);
    void endInput(quint64 channel);
    void closeChannel(quint64 channel);
    void wake();

    qint64 msSinceHeard() const;  // since the last byte of the server

 private:
    void run();
    bool connectRoute();
    std::optional<SshFailure> connectHop(size_t index, int socket);
    std::optional<SshFailure> checkHostKey(ssh_session session, const SshHop& hop);
    std::optional<SshFailure> openJump(const SshHop& next, int& socket);
    SshAnswerPtr ask(SshQuestion question);
    void serve();
    void takePosted();
    bool post(std::function<void()> work);  // false: the thread is done
    void fail(const SshFailure& failure);
    void step(SshStep step, const QString& host);

    const SshRoute m_route;
    const SshPlaces m_places;
    const SshTimes m_times;
    const std::shared_ptr<SecretStore> m_secrets;
    const Ear m_ear;
    ssh_session m_session = nullptr;
    std::vector<std::unique_ptr<JumpPump>> m_jumps;
    std::map<quint64, std::unique_ptr<ChannelPump>> m_channels;
    CallOff m_stop{false};
    std::atomic<int> m_socket{-1};  // of the hop being connected; shut down to call a waiting libssh off
    std::atomic<quint64> m_next{1};
    std::atomic<qint64> m_heardAt{0};
    int m_wake = -1;
    std::mutex m_mutex;
    std::condition_variable m_answered;
    std::vector<std::function<void()>> m_posted;
    bool m_over = false;
    quint64 m_question = 0;
    SshAnswerPtr m_answer;
    std::thread m_thread;
};

}  // namespace unmask::ui
