// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/ssh_thread.h"

#include <libssh/server.h>  // ssh_send_keepalive
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QCoreApplication>
#include <chrono>

#include "ui/remote/host_key.h"
#include "ui/remote/jump_pump.h"
#include "ui/remote/ssh_login.h"

namespace unmask::ui {
namespace {

constexpr int kLongestNapMs = 500;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::SshThread)
};

qint64 steadyMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

int drainWake(socket_t descriptor, int, void*) {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = ::read(descriptor, &count, sizeof(count));
    return SSH_OK;
}

}  // namespace

SshThread::SshThread(SshRoute route, SshPlaces places, SshTimes times, std::shared_ptr<SecretStore> secrets, Ear ear)
    : m_route(std::move(route)),
      m_places(std::move(places)),
      m_times(times),
      m_secrets(std::move(secrets)),
      m_ear(std::move(ear)),
      m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    m_thread = std::thread([this] { run(); });
}

SshThread::~SshThread() {
    stop();
    m_thread.join();
    ::close(m_wake);
}

void SshThread::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
        if (m_socket >= 0)
            ::shutdown(m_socket, SHUT_RDWR);
    }
    m_answered.notify_all();
    wake();
}

void SshThread::wake() {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t done = ::write(m_wake, &one, sizeof(one));
}

bool SshThread::post(std::function<void()> work) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_over)
            return false;
        m_posted.push_back(std::move(work));
    }
    wake();
    return true;
}

void SshThread::answer(quint64 question, SshAnswerPtr answer) {
    {
        const std::lock_guard lock(m_mutex);
        if (question != m_question)
            return;
        m_answer = answer ? std::move(answer) : std::make_shared<SshAnswer>();
    }
    m_answered.notify_all();
}

SshAnswerPtr SshThread::ask(SshQuestion question) {
    std::unique_lock lock(m_mutex);
    question.id = ++m_question;
    m_answer.reset();
    m_ear.relay->post([asked = m_ear.asked, question] { asked(question); });
    m_answered.wait(lock, [this] { return m_answer || m_stop; });
    return std::exchange(m_answer, nullptr);
}

void SshThread::step(SshStep step, const QString& host) {
    m_ear.relay->post([reached = m_ear.stepReached, step, host] { reached(step, host); });
}

void SshThread::fail(const SshFailure& failure) {
    m_ear.relay->post([failed = m_ear.failed, failure] { failed(failure); });
}

void SshThread::run() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    if (connectRoute()) {
        step(SshStep::ready, m_route.hops.back().host);
        m_ear.relay->post(m_ear.opened);
        serve();
    }
    {
        const std::lock_guard lock(m_mutex);
        m_over = true;
    }
    takePosted();  // channels asked for in the meantime learn that there is no link
    for (auto& [id, channel] : m_channels)
        channel->finish(Words::tr("The connection to the server is down."));
    m_channels.clear();
    {
        const std::lock_guard lock(m_mutex);
        m_socket = -1;
    }
    if (m_session) {
        ssh_disconnect(m_session);
        ssh_free(m_session);
        m_session = nullptr;
    }
    while (!m_jumps.empty())
        m_jumps.pop_back();  // the last hop first
}

bool SshThread::connectRoute() {
    if (!m_route.problem.isEmpty() || m_route.hops.empty()) {
        fail({SshStep::route, SshFault::badRoute, m_route.problem});
        return false;
    }
    int socket = -1;
    for (size_t i = 0; i < m_route.hops.size(); ++i) {
        const SshHop& hop = m_route.hops[i];
        std::optional<SshFailure> failure;
        step(SshStep::connect, hop.host);
        if (i == 0) {
            TcpResult line = connectTcp(hop.host, hop.port, m_times.connectMs, m_stop);
            socket = line.socket;
            if (socket < 0)
                failure = line.failure;
        } else {
            failure = openJump(hop, socket);
        }
        if (!failure)
            failure = connectHop(i, socket);
        if (failure) {
            if (m_stop)
                failure->fault = SshFault::cancelled;
            fail(*failure);
            return false;
        }
    }
    return true;
}

std::optional<SshFailure> SshThread::openJump(const SshHop& next, int& socket) {
    const QString through = m_route.hops[m_jumps.size()].host;
    ssh_channel channel = ssh_channel_new(m_session);
    if (ssh_channel_open_forward(channel, next.host.toUtf8().constData(), next.port, "127.0.0.1", 0) != SSH_OK) {
        const QString why = QString::fromUtf8(ssh_get_error(m_session));
        ssh_channel_free(channel);
        return SshFailure{
            SshStep::connect, SshFault::unreachable,
            Words::tr("The jump host %1 cannot reach %2:%3: %4").arg(through, next.host).arg(next.port).arg(why)};
    }
    {
        const std::lock_guard lock(m_mutex);
        m_socket = -1;
    }
    m_jumps.push_back(std::make_unique<JumpPump>(std::exchange(m_session, nullptr), channel));
    socket = m_jumps.back()->takeSocket();
    return std::nullopt;
}

std::optional<SshFailure> SshThread::connectHop(size_t index, int socket) {
    const SshHop& hop = m_route.hops[index];
    {
        const std::lock_guard lock(m_mutex);
        m_socket = socket;
    }
    step(SshStep::greet, hop.host);
    if (auto failure = awaitGreeting(socket, hop.host, m_times.connectMs, m_stop)) {
        const std::lock_guard lock(m_mutex);
        m_socket = -1;
        ::close(socket);
        return failure;
    }
    m_session = ssh_new();
    const long seconds = std::max(1, m_times.connectMs / 1000);
    const bool no = false;
    const unsigned int port = static_cast<unsigned>(hop.port);
    ssh_options_set(m_session, SSH_OPTIONS_HOST, hop.host.toUtf8().constData());
    ssh_options_set(m_session, SSH_OPTIONS_PORT, &port);
    ssh_options_set(m_session, SSH_OPTIONS_USER, hop.user.toUtf8().constData());
    ssh_options_set(m_session, SSH_OPTIONS_PROCESS_CONFIG, &no);  // the route has been read already
    ssh_options_set(m_session, SSH_OPTIONS_KNOWNHOSTS, m_places.knownHosts.c_str());
    const std::filesystem::path global = m_places.globalKnownHosts.empty() ? "/nonexistent" : m_places.globalKnownHosts;
    ssh_options_set(m_session, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, global.c_str());
    ssh_options_set(m_session, SSH_OPTIONS_TIMEOUT, &seconds);
    ssh_options_set(m_session, SSH_OPTIONS_FD, &socket);
    if (!hop.agentSocket.isEmpty())
        ssh_options_set(m_session, SSH_OPTIONS_IDENTITY_AGENT, hop.agentSocket.toUtf8().constData());
    if (ssh_connect(m_session) != SSH_OK)
        return SshFailure{SshStep::greet, SshFault::negotiation,
                          Words::tr("No encryption could be agreed on with %1: %2")
                              .arg(hop.host, QString::fromUtf8(ssh_get_error(m_session)))};
    step(SshStep::hostKey, hop.host);
    if (auto failure = checkHostKey(m_session, hop))
        return failure;
    step(SshStep::login, hop.host);
    return logIn(m_session, hop, *m_secrets, [this](SshQuestion question) { return ask(std::move(question)); });
}

std::optional<SshFailure> SshThread::checkHostKey(ssh_session session, const SshHop& hop) {
    const HostKey key = judgeHostKey(session, m_places);
    const auto refuse = [&](SshFault fault, const QString& sentence) {
        return SshFailure{SshStep::hostKey, fault, sentence};
    };
    switch (key.verdict) {
        case HostKeyVerdict::known:
            return std::nullopt;
        case HostKeyVerdict::changed:
            return refuse(SshFault::hostKeyChanged,
                          Words::tr("THE KEY OF %1 HAS CHANGED. Somebody may be listening in between. It now shows %2 "
                                    "%3. Nothing was sent. Ask whoever runs the machine; if the new key is right, "
                                    "remove the old line with: ssh-keygen -R %1")
                              .arg(hop.host, key.type, key.fingerprint));
        case HostKeyVerdict::otherType:
            return refuse(SshFault::hostKeyOtherType,
                          Words::tr("%1 SHOWS A KEY OF ANOTHER KIND (%2) than the one known. Somebody may be listening "
                                    "in between. Nothing was sent.")
                              .arg(hop.host, key.type));
        case HostKeyVerdict::revoked:
            return refuse(SshFault::hostKeyRevoked,
                          Words::tr("The key of %1 has been revoked in known_hosts. Nothing was sent.").arg(hop.host));
        case HostKeyVerdict::unreadable:
            return refuse(
                SshFault::knownHostsUnreadable,
                Words::tr("Whether %1 is the right machine cannot be checked: %2.").arg(hop.host, key.detail));
        case HostKeyVerdict::unknown:
        case HostKeyVerdict::noFile:
            break;
    }
    SshQuestion question;
    question.kind = SshQuestion::Kind::hostKey;
    question.host = hop.host;
    question.title = Words::tr("Is this the right machine?");
    question.text = Words::tr("%1 is not known here yet. Compare its fingerprint with what whoever runs it tells you.")
                        .arg(hop.host);
    question.keyType = key.type;
    question.fingerprint = key.fingerprint;
    const SshAnswerPtr answer = ask(question);
    if (!answer || !answer->accepted)
        return refuse(SshFault::hostKeyDeclined, Words::tr("The key of %1 was not accepted.").arg(hop.host));
    QString problem;
    if (!rememberHostKey(session, m_places, problem))
        return refuse(SshFault::knownHostsUnreadable,
                      Words::tr("The key of %1 could not be remembered: %2").arg(hop.host, problem));
    return std::nullopt;
}

qint64 SshThread::msSinceHeard() const {
    const qint64 at = m_heardAt;
    return at == 0 ? 0 : steadyMs() - at;
}

void SshThread::serve() {
    ssh_set_blocking(m_session, 0);
    ssh_counter_struct heard{};
    ssh_set_counters(m_session, &heard, nullptr);
    ssh_event event = ssh_event_new();
    ssh_event_add_session(event, m_session);
    ssh_event_add_fd(event, m_wake, POLLIN, drainWake, nullptr);
    uint64_t heardBytes = 0;
    m_heardAt = steadyMs();
    qint64 askedAt = m_heardAt;
    bool up = true;
    while (!m_stop && up) {
        takePosted();
        bool moved = false;
        for (auto at = m_channels.begin(); at != m_channels.end();) {
            moved = at->second->turn() || moved;
            at = at->second->over() ? m_channels.erase(at) : std::next(at);
        }
        const qint64 now = steadyMs();
        if (heard.in_bytes != heardBytes) {
            heardBytes = heard.in_bytes;
            m_heardAt = now;
        }
        if (now - m_heardAt > m_times.silenceMs)
            break;
        if (now - std::max<qint64>(askedAt, m_heardAt) > m_times.keepAliveMs) {
            ssh_send_keepalive(m_session);
            askedAt = now;
        }
        const int nap = std::clamp(m_times.keepAliveMs / 4, 1, kLongestNapMs);
        up = ssh_event_dopoll(event, moved ? 0 : nap) != SSH_ERROR && ssh_is_connected(m_session);
    }
    if (!m_stop) {
        const QString why = up ? Words::tr("nothing was heard from it for %1 s").arg(m_times.silenceMs / 1000)
                               : QString::fromUtf8(ssh_get_error(m_session));
        fail({SshStep::ready, SshFault::lost,
              Words::tr("The connection to %1 was lost: %2").arg(m_route.hops.back().host, why)});
    }
    ssh_event_remove_fd(event, m_wake);
    ssh_event_remove_session(event, m_session);
    ssh_event_free(event);
    ssh_set_counters(m_session, nullptr, nullptr);
}

void SshThread::takePosted() {
    std::vector<std::function<void()>> work;
    {
        const std::lock_guard lock(m_mutex);
        work.swap(m_posted);
    }
    for (auto& one : work)
        one();
}

quint64 SshThread::openChannel(ChannelRequest request, ChannelEar ear) {
    const quint64 id = m_next++;
    const bool taken = post([this, id, request = std::move(request), ear] {
        m_channels.emplace(id, std::make_unique<ChannelPump>(m_session, request, ear));
    });
    if (!taken)
        ear.relay->post([ended = ear.ended] { ended({-1, Words::tr("The connection to the server is down.")}); });
    return id;
}

void SshThread::write(quint64 id, const QByteArray& bytes) {
    post([this, id, bytes] {
        if (const auto found = m_channels.find(id); found != m_channels.end())
            found->second->write(bytes);
    });
}

void SshThread::endInput(quint64 id) {
    post([this, id] {
        if (const auto found = m_channels.find(id); found != m_channels.end())
            found->second->endInput();
    });
}

void SshThread::closeChannel(quint64 id) {
    post([this, id] {
        if (const auto found = m_channels.find(id); found != m_channels.end())
            found->second->close();
    });
}

}  // namespace unmask::ui
