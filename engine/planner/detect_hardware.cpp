// SPDX-License-Identifier: Apache-2.0
// What Linux says about this machine. Inside a container the cgroup's limits count, not the host's.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "engine/base/text.h"
#include "engine/planner/hardware.h"
#include "engine/planner/nvml.h"

namespace unmask {

namespace {

std::string trimmed(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t\n");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::optional<std::string> firstLine(const char* file) {
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line))
        return std::nullopt;
    return trimmed(line);
}

// "MemTotal:  16384 kB" → bytes
std::optional<double> memoryInfo(const std::string& key) {
    std::ifstream in("/proc/meminfo");
    std::string line;
    while (std::getline(in, line)) {
        if (line.rfind(key + ":", 0) != 0)
            continue;
        std::istringstream fields(line.substr(key.size() + 1));
        std::string amount;
        fields >> amount;
        if (const auto kibibytes = parseInteger(amount))
            return static_cast<double>(*kibibytes) * 1024;
    }
    return std::nullopt;
}

std::optional<double> bytesIn(const char* file) {
    const auto line = firstLine(file);
    if (!line)
        return std::nullopt;
    const auto bytes = parseInteger(*line);  // "max" where there is no limit
    return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

void describeMemory(Hardware& hardware) {
    hardware.memoryBytes = memoryInfo("MemTotal");
    hardware.availableMemoryBytes = memoryInfo("MemAvailable");
    const auto limit = bytesIn("/sys/fs/cgroup/memory.max");
    if (!limit || (hardware.memoryBytes && *limit >= *hardware.memoryBytes))
        return;
    hardware.memoryBytes = limit;
    if (const auto used = bytesIn("/sys/fs/cgroup/memory.current")) {
        const double rest = std::max(0.0, *limit - *used);
        hardware.availableMemoryBytes = std::min(rest, hardware.availableMemoryBytes.value_or(rest));
    }
}

void describeProcessor(Hardware& hardware) {
    cpu_set_t usable;
    CPU_ZERO(&usable);
    if (sched_getaffinity(0, sizeof usable, &usable) == 0)
        hardware.cores = CPU_COUNT(&usable);
    std::ifstream in("/proc/cpuinfo");
    std::string line;
    while (std::getline(in, line)) {
        const size_t colon = line.find(':');
        if (colon == std::string::npos)
            continue;
        const std::string key = trimmed(line.substr(0, colon));
        if (key == "model name" && hardware.processor.empty())
            hardware.processor = trimmed(line.substr(colon + 1));
        if (key == "flags" && !hardware.avx2) {
            const std::string flags = " " + trimmed(line.substr(colon + 1)) + " ";
            hardware.avx2 = flags.find(" avx2 ") != std::string::npos && flags.find(" fma ") != std::string::npos;
        }
    }
}

}  // namespace

Hardware detectHardware() {
    Hardware hardware;
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) == 0)
        hardware.hostName = name.data();
    describeProcessor(hardware);
    describeMemory(hardware);
    describeGpus(hardware);
    return hardware;
}

}  // namespace unmask
