// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/leftover_workers.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "engine/base/clock.h"

namespace unmask {
namespace {
namespace fs = std::filesystem;

constexpr useconds_t kLookEveryMicroseconds = 20'000;

std::optional<pid_t> numberIn(std::string_view text) {
    pid_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

// Of a process that has gone, or is somebody else's, nothing.
std::vector<std::string> wordsIn(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::vector<std::string> words;
    for (std::string word; std::getline(stream, word, '\0');)
        words.push_back(word);
    return words;
}

pid_t parentOf(const fs::path& process) {
    std::ifstream file(process / "stat");
    std::string line;
    std::getline(file, line);
    // The command name may hold spaces and parentheses, so fields are counted after the last ')': " S 4711 …".
    const size_t close = line.rfind(')');
    return close == std::string::npos ? 0
                                      : static_cast<pid_t>(std::atoi(line.c_str() + std::min(line.size(), close + 3)));
}

// "unmask-worker rank --run FOLDER …", as the supervisor starts it.
bool isRankOf(const std::vector<std::string>& arguments, const RunFolder& folder) {
    if (arguments.size() < 4 || arguments[1] != "rank" || arguments[2] != "--run")
        return false;
    std::error_code failed;
    return arguments[3] == folder.path.string() || (fs::equivalent(arguments[3], folder.path, failed) && !failed);
}

std::optional<pid_t> supervisorOf(const fs::path& process) {
    const std::string prefix = std::string(kSupervisorVariable) + "=";
    for (const std::string& variable : wordsIn(process / "environ"))
        if (variable.starts_with(prefix))
            return numberIn(std::string_view(variable).substr(prefix.size()));
    return std::nullopt;
}

}  // namespace

std::vector<pid_t> leftoverWorkers(const RunFolder& folder) {
    std::vector<pid_t> found;
    std::error_code none;
    for (const auto& process : fs::directory_iterator("/proc", none)) {
        const auto pid = numberIn(process.path().filename().string());
        if (!pid || !isRankOf(wordsIn(process.path() / "cmdline"), folder))
            continue;
        const auto supervisor = supervisorOf(process.path());
        if (supervisor && parentOf(process.path()) != *supervisor)
            found.push_back(*pid);
    }
    return found;
}

void awaitLeftoverWorkers(const RunFolder& folder, const std::function<void(const std::string&)>& say, double seconds) {
    const auto since = SteadyClock::now();
    bool said = false;
    for (;;) {
        const std::vector<pid_t> left = leftoverWorkers(folder);
        if (left.empty() || secondsSince(since) >= seconds)
            return;
        if (!said)
            say("The engine that trained this run before was killed; its worker (process " +
                std::to_string(left.front()) + ") is still saving and ending. Waiting for it.");
        said = true;
        usleep(kLookEveryMicroseconds);
    }
}

}  // namespace unmask
