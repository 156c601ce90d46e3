// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/worker/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <stdexcept>

#include "tests/support/temp_run.h"

extern char** environ;

namespace unmask::test {

Child::Child(const std::vector<std::string>& arguments, const std::filesystem::path& folder) : m_folder(folder) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int kFlags = O_CREAT | O_TRUNC | O_WRONLY;
    posix_spawn_file_actions_addopen(&actions, 1, (folder / "child.out").c_str(), kFlags, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, (folder / "child.err").c_str(), kFlags, 0600);
    const int failed = posix_spawn(&m_pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        throw std::runtime_error("cannot start " + arguments[0]);
}

Child::~Child() {
    if (m_pid > 0) {
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
}

void Child::signal(int number) const {
    kill(m_pid, number);
}

ChildResult Child::wait() {
    int status = 0;
    waitpid(m_pid, &status, 0);
    m_pid = -1;
    return {.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
            .output = readBytes(m_folder / "child.out"),
            .errors = readBytes(m_folder / "child.err")};
}

ChildResult runChild(const std::vector<std::string>& arguments, const std::filesystem::path& folder) {
    return Child(arguments, folder).wait();
}

}  // namespace unmask::test
