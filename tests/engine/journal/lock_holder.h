// SPDX-License-Identifier: Apache-2.0
// A real process that takes the lock of a run and waits to be killed.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "engine/journal/run_lock.h"

namespace unmask::test {

// A child that takes the lock of a run and waits; killed at the end.
class LockingProcess {
 public:
    explicit LockingProcess(const RunFolder& run) {
        int ready[2];
        if (::pipe(ready) != 0)
            throw std::runtime_error("pipe");
        m_pid = ::fork();
        if (m_pid == 0) {
            const auto lock = RunLock::acquire(run);
            (void)!::write(ready[1], "x", 1);
            for (;;)
                ::pause();
        }
        char byte = 0;
        (void)!::read(ready[0], &byte, 1);
        ::close(ready[0]);
        ::close(ready[1]);
    }
    ~LockingProcess() { kill(); }
    void kill() {
        if (m_pid <= 0)
            return;
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
        m_pid = 0;
    }
    pid_t pid() const { return m_pid; }

 private:
    pid_t m_pid = 0;
};

}  // namespace unmask::test
