// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/supervise_loop.h"

#include "engine/launch/signal_inbox.h"

namespace unmask {
namespace {

constexpr int kTickMs = 100;

}  // namespace

void superviseUntilEnd(Supervisor& supervisor, const std::function<void()>& onTick,
                       const std::function<void(int signal, int count)>& onSignal) {
    SignalInbox inbox{SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    struct sigaction hangup {};
    sigaction(SIGHUP, nullptr, &hangup);
    const bool detached = hangup.sa_handler == SIG_IGN;  // `start` began it: closed terminals do not matter
    int count = 0;
    supervisor.start();
    while (supervisor.poll()) {
        inbox.waitFor(kTickMs);
        while (const auto signal = inbox.take()) {
            if (*signal == SIGCHLD || (*signal == SIGHUP && detached))
                continue;
            onSignal(*signal, ++count);
            supervisor.interrupt(*signal);
        }
        onTick();
    }
    onTick();
}

}  // namespace unmask
