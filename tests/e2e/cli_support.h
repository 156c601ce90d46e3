// SPDX-License-Identifier: Apache-2.0
// The real engine program as people start it: arguments, environment, input, output, signals. Everything lives in a
// temporary folder whose name has a space, an umlaut and Chinese characters.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/journal/run_state.h"
#include "tests/support/temp_run.h"

namespace unmask::test {

// One started engine. Killed when it is still alive at the end of its life.
class EngineProgram {
 public:
    EngineProgram(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& environment);
    ~EngineProgram();
    EngineProgram(EngineProgram&& other) noexcept;

    int wait(double seconds = 60);  // exit code, 128+N for a signal; -1 when it did not end in time
    std::string output() const;     // so far
    std::string errors() const;
    std::string waitForOutput(std::string_view text, double seconds = 30) const;  // fails the test when it never comes
    void type(const std::string& text) const;                                     // to its standard input
    void closeInput();
    void send(int signal) const;
    pid_t pid() const { return m_pid; }
    int64_t peakMemoryKiB() const { return m_peakKiB; }  // of it and of those it waited for; once it has ended

 private:
    pid_t m_pid = -1;
    int m_input = -1;
    std::optional<int> m_code;
    int64_t m_peakKiB = 0;
    std::filesystem::path m_output;
    std::filesystem::path m_errors;
};

class CliTest : public testing::Test {
 protected:
    CliTest();

    EngineProgram start(const std::vector<std::string>& arguments) const;
    // Runs to the end and returns the exit code; output and errors are kept.
    int run(const std::vector<std::string>& arguments);
    std::string file(const std::string& name, std::string_view bytes) const;  // its path
    std::filesystem::path place(const std::string& name) const { return m_place / name; }
    RunFolder runFolder(const std::string& name = "run") const { return {m_place / name}; }
    // `train` or `start` of a model so small that a step takes about a millisecond.
    std::vector<std::string> tiny(const std::string& command, int64_t steps, const std::string& runName = "run") const;
    static std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more);
    static bool workerBuilt();

    TempFolder m_root;
    std::filesystem::path m_place;
    std::map<std::string, std::string> m_environment;
    std::string m_output;
    std::string m_errors;
    int64_t m_peakKiB = 0;
};

// Root reads and writes everything; programs that are started within `act` may not, and heed modes as anybody does.
void asAnybody(const std::function<void()>& act);

// A text that people really use, from UNMASK_TEST_DATA or beside the clone; empty where it is missing.
std::filesystem::path realData(const std::string& name);

// Waits until `reached` is true; false when it did not come to be in time.
template <class Condition>
bool eventually(Condition reached, double seconds = 30);
void pauseMs(int milliseconds);

template <class Condition>
bool eventually(Condition reached, double seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 100); ++i) {
        if (reached())
            return true;
        pauseMs(10);
    }
    return false;
}

#define UNMASK_NEEDS_WORKER() \
    if (!workerBuilt())       \
    GTEST_SKIP() << "unmask-worker is not built, so nothing can train"

}  // namespace unmask::test
