// SPDX-License-Identifier: Apache-2.0
// The time between fork and exec belongs to async-signal-safe calls alone; everything they need is made before.
#include "engine/launch/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "engine/base/durable_file.h"
#include "engine/base/error.h"

namespace unmask {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

FileDescriptor openOutput(const std::filesystem::path& file) {
    if (file.empty())
        return {};
    FileDescriptor output(open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!output.valid())
        throw systemError("[launch] cannot open the log file " + file.string(), errno);
    return output;
}

struct Prepared {
    const char* executable;
    char* const* arguments;
    char* const* environment;
    int output;
    int report;
    pid_t parent;
};

void resetSignals(bool ignoreHangup) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int each : {SIGINT, SIGTERM, SIGPIPE, SIGCHLD, SIGQUIT})
        signal(each, SIG_DFL);
    signal(SIGHUP, ignoreHangup ? SIG_IGN : SIG_DFL);
}

[[noreturn]] void becomeChild(const ChildOptions& options, const Prepared& prepared) {
    if (options.ownSession)
        setsid();
    else if (options.ownProcessGroup)
        setpgid(0, 0);
    if (options.deathSignal != 0) {
        prctl(PR_SET_PDEATHSIG, options.deathSignal);
        if (getppid() != prepared.parent)  // it died before the line above
            _exit(128 + options.deathSignal);
    }
    resetSignals(options.ownSession);
    if (options.nullInput) {
        const int null = open("/dev/null", O_RDONLY);
        if (null > 0)
            dup2(null, 0);
    }
    if (prepared.output >= 0) {
        dup2(prepared.output, 1);
        dup2(prepared.output, 2);
    }
    execve(prepared.executable, prepared.arguments, prepared.environment);
    const int reason = errno;
    [[maybe_unused]] const ssize_t written = write(prepared.report, &reason, sizeof(reason));
    _exit(127);
}

}  // namespace

std::string signalName(int signal) {
    const char* name = sigabbrev_np(signal);
    return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

ChildProcess ChildProcess::start(const ChildOptions& options) {
    std::vector<std::string> argumentTexts{options.executable.string()};
    argumentTexts.insert(argumentTexts.end(), options.arguments.begin(), options.arguments.end());
    std::vector<std::string> environmentTexts = options.environment;
    const std::vector<char*> arguments = pointers(argumentTexts);
    const std::vector<char*> environment = pointers(environmentTexts);
    const FileDescriptor output = openOutput(options.outputFile);

    std::array<int, 2> pipeEnds{};
    if (pipe2(pipeEnds.data(), O_CLOEXEC) != 0)
        throw systemError("[launch] cannot start " + options.executable.string(), errno);
    const FileDescriptor reportEnd(pipeEnds[0]);
    FileDescriptor writeEnd(pipeEnds[1]);

    const Prepared prepared{
        options.executable.c_str(), arguments.data(), environment.data(), output.get(), writeEnd.get(), getpid()};
    const pid_t pid = fork();
    if (pid < 0)
        throw systemError("[launch] cannot start " + options.executable.string(), errno);
    if (pid == 0)
        becomeChild(options, prepared);

    writeEnd = FileDescriptor();
    int reason = 0;
    ssize_t got = 0;
    do {
        got = read(reportEnd.get(), &reason, sizeof(reason));
    } while (got < 0 && errno == EINTR);
    ChildProcess child(pid);
    if (got == static_cast<ssize_t>(sizeof(reason))) {
        child.wait();
        throw systemError("[launch] cannot start " + options.executable.string(), reason);
    }
    return child;
}

std::optional<ExitStatus> ChildProcess::poll() {
    if (m_status)
        return m_status;
    int raw = 0;
    const pid_t got = waitpid(m_pid, &raw, WNOHANG);
    if (got == m_pid) {
        m_status = WIFSIGNALED(raw) ? ExitStatus{.signal = WTERMSIG(raw)} : ExitStatus{.code = WEXITSTATUS(raw)};
    } else if (got < 0 && errno == ECHILD) {
        m_status = ExitStatus{.code = static_cast<int>(ErrorCode::internal)};  // reaped by somebody else: never happens
    }
    return m_status;
}

ExitStatus ChildProcess::wait() {
    while (!poll()) {
        siginfo_t info;
        waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOWAIT);
    }
    return *m_status;
}

void ChildProcess::send(int signal) {
    if (!poll())
        kill(m_pid, signal);
}

}  // namespace unmask
