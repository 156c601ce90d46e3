// SPDX-License-Identifier: Apache-2.0
// Opens a TCP connection with a limit for each stage, so that every stage can be named when it fails. Can be called off
// from another thread.
#pragma once

#include <atomic>

#include "ui/remote/ssh_words.h"

namespace unmask::ui {

// Set by another thread; the waiting ones look at it ten times a second.
using CallOff = std::atomic<bool>;

struct TcpResult {
    int socket = -1;
    SshFailure failure;  // where socket is -1
};

TcpResult connectTcp(const QString& host, int port, int timeoutMs, const CallOff& calledOff);

// Waits for the first line without taking it away. Nothing where it is an SSH greeting.
std::optional<SshFailure> awaitGreeting(int socket, const QString& host, int timeoutMs, const CallOff& calledOff);

}  // namespace unmask::ui
