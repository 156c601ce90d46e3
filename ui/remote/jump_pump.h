// SPDX-License-Identifier: Apache-2.0
// Carries the bytes of the next hop through a channel of a jump host. From its making on, session and channel belong to
// its thread alone.
#pragma once

#include <libssh/libssh.h>

#include <atomic>
#include <thread>

namespace unmask::ui {

class JumpPump {
 public:
    JumpPump(ssh_session session, ssh_channel channel);
    ~JumpPump();
    int takeSocket();  // the end for the next hop; the caller closes it
    bool good() const { return m_inner >= 0; }

 private:
    void run();

    ssh_session m_session;
    ssh_channel m_channel;
    int m_inner = -1;
    int m_outer = -1;
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

}  // namespace unmask::ui
