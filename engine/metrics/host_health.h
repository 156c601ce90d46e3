// SPDX-License-Identifier: Apache-2.0
// This computer's figures from /proc, /sys and statvfs. What cannot be read is a missing key, never 0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace unmask {

class HostHealth {
 public:
    // place: whose volume's free space is watched; root: "/" except in tests.
    explicit HostHealth(std::filesystem::path place, std::filesystem::path root = "/");

    // host/cpu_utilization (0 to 1 of all cores, since the last call), memory_used and process_memory (bytes),
    // temperature (°C), disk_free (bytes)
    void read(std::map<std::string, double>& values);

 private:
    struct CpuTimes {
        uint64_t busy = 0;
        uint64_t total = 0;
    };
    std::optional<CpuTimes> cpuTimes() const;
    std::optional<double> temperature() const;

    std::filesystem::path m_place;
    std::filesystem::path m_root;
    std::filesystem::path m_sensor;  // file with the processor's temperature in thousandths; empty when there is none
    std::optional<CpuTimes> m_last;
};

}  // namespace unmask
