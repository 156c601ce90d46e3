// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/signal_inbox.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/error.h"

namespace unmask {

SignalInbox::SignalInbox(std::initializer_list<int> signals) {
    sigset_t set;
    sigemptyset(&set);
    for (const int each : signals)
        sigaddset(&set, each);
    pthread_sigmask(SIG_BLOCK, &set, &m_before);
    m_descriptor = FileDescriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!m_descriptor.valid())
        throw systemError("[launch] cannot listen for signals", errno);
}

SignalInbox::~SignalInbox() {
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

std::optional<int> SignalInbox::take() {
    signalfd_siginfo info{};
    if (read(m_descriptor.get(), &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info)))
        return std::nullopt;
    return static_cast<int>(info.ssi_signo);
}

bool SignalInbox::waitFor(int milliseconds) const {
    pollfd place{m_descriptor.get(), POLLIN, 0};
    return poll(&place, 1, milliseconds) > 0;
}

}  // namespace unmask
