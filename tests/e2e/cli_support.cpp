// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli_support.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "engine/base/clock.h"
#include "engine/base/places.h"
#include "engine/launch/worker_program.h"

extern char** environ;

namespace unmask::test {
namespace fs = std::filesystem;

void pauseMs(int milliseconds) {
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
}

void asAnybody(const std::function<void()>& act) {
    // What a program of root may do is bounded by the thread that starts it, and that by nothing afterwards.
    std::thread thread([&act] {
        if (geteuid() == 0) {
            EXPECT_EQ(prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0), 0);
            EXPECT_EQ(prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0), 0);
        }
        act();
    });
    thread.join();
}

fs::path realData(const std::string& name) {
    const char* chosen = std::getenv("UNMASK_TEST_DATA");
    const fs::path folder =
        chosen && *chosen ? fs::path(chosen) : fs::path(UNMASK_SOURCE_DIR).parent_path() / "shared" / "data";
    return fs::is_regular_file(folder / name) ? folder / name : fs::path();
}

EngineProgram::EngineProgram(const fs::path& folder, const std::vector<std::string>& arguments,
                             const std::map<std::string, std::string>& environment) {
    static std::atomic<int> number{0};
    const std::string name = "program-" + std::to_string(++number);
    m_output = folder / (name + ".out");
    m_errors = folder / (name + ".err");
    std::vector<std::string> words{UNMASK_BINARY_DIR "/bin/unmask-engine"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables;
    for (char** entry = environ; *entry; ++entry) {
        const std::string variable = *entry;
        if (!environment.contains(variable.substr(0, variable.find('='))))
            variables.push_back(variable);
    }
    for (const auto& [key, value] : environment)
        variables.push_back(key + "=" + value);
    std::vector<char*> argv;
    std::vector<char*> envp;
    for (std::string& word : words)
        argv.push_back(word.data());
    for (std::string& variable : variables)
        envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);

    std::array<int, 2> input{};
    EXPECT_EQ(pipe2(input.data(), O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], 0);
    posix_spawn_file_actions_addopen(&actions, 1, m_output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, m_errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    EXPECT_EQ(posix_spawn(&m_pid, argv[0], &actions, nullptr, argv.data(), envp.data()), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    m_input = input[1];
}

EngineProgram::EngineProgram(EngineProgram&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)),
      m_input(std::exchange(other.m_input, -1)),
      m_code(other.m_code),
      m_peakKiB(other.m_peakKiB),
      m_output(other.m_output),
      m_errors(other.m_errors) {}

EngineProgram::~EngineProgram() {
    closeInput();
    if (m_pid > 0 && !m_code) {
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
}

int EngineProgram::wait(double seconds) {
    const auto since = SteadyClock::now();
    while (!m_code && secondsSince(since) < seconds) {
        int raw = 0;
        rusage usage{};
        if (wait4(m_pid, &raw, WNOHANG, &usage) == m_pid) {
            m_code = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
            m_peakKiB = usage.ru_maxrss;
        } else {
            pauseMs(2);
        }
    }
    return m_code.value_or(-1);
}

std::string EngineProgram::output() const {
    return readBytes(m_output);
}
std::string EngineProgram::errors() const {
    return readBytes(m_errors);
}

std::string EngineProgram::waitForOutput(std::string_view text, double seconds) const {
    const bool came = eventually([&] { return output().find(text) != std::string::npos; }, seconds);
    EXPECT_TRUE(came) << "never said \"" << text << "\" but:\n" << output() << errors();
    return output();
}

void EngineProgram::type(const std::string& text) const {
    EXPECT_EQ(write(m_input, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

void EngineProgram::closeInput() {
    if (m_input >= 0)
        close(std::exchange(m_input, -1));
}

void EngineProgram::send(int signal) const {
    EXPECT_EQ(kill(m_pid, signal), 0);
}

CliTest::CliTest() : m_place(m_root.path() / "Ein Ordner ä 文件夹") {
    fs::create_directories(m_place);
    m_environment = {{"UNMASK_TORCH_DIR", torchFolder().string()},
                     {"UNMASK_RUNS", (m_place / "runs").string()},
                     {"UNMASK_CACHE", (m_place / "cache").string()},
                     {"HOME", m_place.string()}};
}

EngineProgram CliTest::start(const std::vector<std::string>& arguments) const {
    return {m_root.path(), arguments, m_environment};
}

int CliTest::run(const std::vector<std::string>& arguments) {
    EngineProgram program = start(arguments);
    program.closeInput();
    const int code = program.wait();
    m_output = program.output();
    m_errors = program.errors();
    m_peakKiB = program.peakMemoryKiB();
    return code;
}

std::string CliTest::file(const std::string& name, std::string_view bytes) const {
    writeBytes(m_place / name, bytes);
    return (m_place / name).string();
}

std::vector<std::string> CliTest::tiny(const std::string& command, int64_t steps, const std::string& runName) const {
    const fs::path text = m_place / "Text ü 文.txt";
    if (!fs::exists(text)) {
        std::string bytes;
        for (int i = 0; i < 2000; ++i)
            bytes += "the quick brown fox number " + std::to_string(i * 7919 % 1000) + " jumps over the lazy dog\n";
        writeBytes(text, bytes);
    }
    return {command,
            "--data",
            text.string(),
            "--run",
            (m_place / runName).string(),
            "--steps",
            std::to_string(steps),
            "--layers",
            "1",
            "--width",
            "16",
            "--heads",
            "2",
            "--feed-forward-width",
            "32",
            "--sequence-length",
            "16",
            "--batch-size",
            "2",
            "--threads",
            "1",
            "--validation-samples",
            "4",
            "--sample-length",
            "16",
            "--denoising-steps",
            "4",
            "--sample-block-size",
            "8"};
}

std::vector<std::string> CliTest::with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

bool CliTest::workerBuilt() {
    return fs::exists(UNMASK_BINARY_DIR "/bin/unmask-worker") && torchInstalled();
}

}  // namespace unmask::test
