// SPDX-License-Identifier: Apache-2.0
#include "engine/train/stop_signals.h"

#include <atomic>
#include <csignal>

namespace unmask {

namespace {

std::atomic<int> theCount{0};
std::atomic<int> theFirst{0};
static_assert(std::atomic<int>::is_always_lock_free);  // else it may not be used in a handler

void onSignal(int number) {
    if (theCount.fetch_add(1) == 0)
        theFirst = number;
}

}  // namespace

void installStopSignals() {
    struct sigaction action {};
    action.sa_handler = &onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
    std::signal(SIGHUP, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
}

StopSignal stopSignal() {
    return {theCount.load(), theFirst.load() == SIGTERM ? ErrorCode::preempted : ErrorCode::stopped};
}

}  // namespace unmask
