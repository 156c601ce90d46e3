// SPDX-License-Identifier: Apache-2.0
// Signals as readable events: while an inbox lives they interrupt nothing and wait to be taken.
#pragma once

#include <csignal>
#include <initializer_list>
#include <optional>

#include "engine/base/durable_file.h"

namespace unmask {

class SignalInbox {
 public:
    // SIGCHLD may be among them: it only makes a poll on descriptor() return.
    explicit SignalInbox(std::initializer_list<int> signals);
    ~SignalInbox();
    SignalInbox(const SignalInbox&) = delete;
    SignalInbox& operator=(const SignalInbox&) = delete;

    std::optional<int> take();
    int descriptor() const { return m_descriptor.get(); }
    // Waits for a signal or the time to pass; true when a signal may be there.
    bool waitFor(int milliseconds) const;

 private:
    FileDescriptor m_descriptor;
    sigset_t m_before{};
};

}  // namespace unmask
