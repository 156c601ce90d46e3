// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics/host_health.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>

#include "engine/base/text.h"
#include "engine/protocol/metric_names.h"

namespace unmask {

namespace fs = std::filesystem;

namespace {

std::string firstLine(const fs::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

// "coretemp" (Intel), "k10temp" (AMD) and the like name the processor; other sensors are disks or boards.
fs::path findSensor(const fs::path& root) {
    constexpr std::array kProcessors{"coretemp", "k10temp", "zenpower", "cpu_thermal"};
    std::error_code ignored;
    for (const auto& folder : fs::directory_iterator(root / "sys/class/hwmon", ignored))
        for (const char* name : kProcessors)
            if (firstLine(folder.path() / "name") == name && parseInteger(firstLine(folder.path() / "temp1_input")))
                return folder.path() / "temp1_input";
    for (const auto& zone : fs::directory_iterator(root / "sys/class/thermal", ignored)) {
        const std::string type = firstLine(zone.path() / "type");
        if ((type == "x86_pkg_temp" || type.starts_with("cpu")) && parseInteger(firstLine(zone.path() / "temp")))
            return zone.path() / "temp";
    }
    return {};
}

std::optional<double> bytesInUse(const fs::path& file) {
    std::ifstream stream(file);
    std::optional<double> total, available;
    std::string key, unit;
    double kibibytes = 0;
    while (stream >> key >> kibibytes && std::getline(stream, unit)) {
        if (key == "MemTotal:")
            total = kibibytes * 1024;
        else if (key == "MemAvailable:")
            available = kibibytes * 1024;
        if (total && available)
            return *total - *available;
    }
    return std::nullopt;
}

std::optional<double> residentBytes(const fs::path& file) {
    std::ifstream stream(file);
    double pages = 0, resident = 0;
    if (stream >> pages >> resident)
        return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
    return std::nullopt;
}

}  // namespace

HostHealth::HostHealth(fs::path place, fs::path root)
    : m_place(std::move(place)), m_root(std::move(root)), m_sensor(findSensor(m_root)), m_last(cpuTimes()) {}

void HostHealth::read(std::map<std::string, double>& values) {
    const auto put = [&](std::string_view name, std::optional<double> value) {
        if (value)
            values[std::string(name)] = *value;
    };
    if (const auto now = cpuTimes()) {
        if (m_last && now->total > m_last->total)
            put(metric::kHostCpu,
                static_cast<double>(now->busy - m_last->busy) / static_cast<double>(now->total - m_last->total));
        m_last = now;
    }
    put(metric::kHostMemory, bytesInUse(m_root / "proc/meminfo"));
    put(metric::kProcessMemory, residentBytes(m_root / "proc/self/statm"));
    put(metric::kHostTemperature, temperature());
    if (struct statvfs volume{}; statvfs(m_place.c_str(), &volume) == 0)
        put(metric::kDiskFree, static_cast<double>(volume.f_bavail) * static_cast<double>(volume.f_frsize));
}

std::optional<HostHealth::CpuTimes> HostHealth::cpuTimes() const {
    std::istringstream line(firstLine(m_root / "proc/stat"));
    std::string label;
    line >> label;
    CpuTimes times;
    uint64_t ticks = 0;
    constexpr int kIdle = 3, kWaiting = 4, kFields = 8;  // user nice system idle iowait irq softirq steal
    for (int field = 0; field < kFields && line >> ticks; ++field) {
        times.total += ticks;
        if (field != kIdle && field != kWaiting)
            times.busy += ticks;
    }
    if (label != "cpu" || times.total == 0)
        return std::nullopt;
    return times;
}

std::optional<double> HostHealth::temperature() const {
    if (m_sensor.empty())
        return std::nullopt;
    const auto thousandths = parseInteger(firstLine(m_sensor));
    if (!thousandths)
        return std::nullopt;
    return static_cast<double>(*thousandths) / 1000;
}

}  // namespace unmask
