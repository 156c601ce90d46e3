// SPDX-License-Identifier: Apache-2.0
// One child process: started by exec without a shell, known by its pid until it is reaped, so that a signal can never
// reach a stranger who got the same number.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace unmask {

struct ExitStatus {
    int code = 0;
    int signal = 0;  // not 0: killed by it
    int asShellCode() const { return signal != 0 ? 128 + signal : code; }
    bool operator==(const ExitStatus&) const = default;
};

std::string signalName(int signal);  // "SIGKILL"; "signal 77" when it has no name

struct ChildOptions {
    std::filesystem::path executable;
    std::vector<std::string> arguments;  // without the program's name
    std::vector<std::string> environment;
    std::filesystem::path outputFile;  // standard output and error are appended here; empty inherits both
    bool nullInput = true;
    bool ownProcessGroup = false;  // the terminal's Ctrl-C does not reach it
    bool ownSession = false;       // survives the terminal and its starter; SIGHUP is ignored
    int deathSignal = 0;           // sent to it when the starter dies
};

class ChildProcess {
 public:
    // Throws Error when it cannot be started (not executable, no memory).
    static ChildProcess start(const ChildOptions& options);

    pid_t pid() const { return m_pid; }
    std::optional<ExitStatus> poll();  // reaps; keeps the answer
    ExitStatus wait();
    void send(int signal);  // nothing happens once it was reaped

 private:
    explicit ChildProcess(pid_t pid) : m_pid(pid) {}
    pid_t m_pid;
    std::optional<ExitStatus> m_status;
};

}  // namespace unmask
