// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics/host_health.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace unmask {
namespace {

namespace fs = std::filesystem;

class FakeRoot : public testing::Test {
 protected:
    FakeRoot() : m_root(fs::temp_directory_path() / ("unmask-host-" + std::to_string(getpid()))) {}
    ~FakeRoot() override { fs::remove_all(m_root); }
    void write(const std::string& file, const std::string& text) {
        fs::create_directories((m_root / file).parent_path());
        std::ofstream(m_root / file) << text;
    }
    fs::path m_root;
};

TEST_F(FakeRoot, ReadsProcAndSys) {
    write("proc/stat", "cpu  100 0 100 700 100 0 0 0 0 0\n");
    write("proc/meminfo", "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    400 kB\n");
    write("proc/self/statm", "500 10 3 1 0 200 0\n");
    write("sys/class/hwmon/hwmon0/name", "nvme\n");
    write("sys/class/hwmon/hwmon0/temp1_input", "33000\n");
    write("sys/class/hwmon/hwmon1/name", "k10temp\n");
    write("sys/class/hwmon/hwmon1/temp1_input", "54500\n");
    HostHealth host(m_root, m_root);
    write("proc/stat", "cpu  160 0 140 760 140 0 0 0 0 0\n");
    std::map<std::string, double> values;
    host.read(values);
    EXPECT_DOUBLE_EQ(values.at("host/cpu_utilization"), 0.5);
    EXPECT_DOUBLE_EQ(values.at("host/memory_used"), 600 * 1024);
    EXPECT_DOUBLE_EQ(values.at("host/process_memory"), 10.0 * static_cast<double>(sysconf(_SC_PAGESIZE)));
    EXPECT_DOUBLE_EQ(values.at("host/temperature"), 54.5);
    EXPECT_GT(values.at("host/disk_free"), 0);
}

TEST_F(FakeRoot, WhatCannotBeReadIsAMissingKey) {
    write("sys/class/hwmon/hwmon0/name", "nvme\n");
    write("sys/class/hwmon/hwmon0/temp1_input", "33000\n");
    HostHealth host(m_root / "no such volume", m_root);
    std::map<std::string, double> values;
    host.read(values);
    EXPECT_TRUE(values.empty());
}

TEST(HostHealth, ReadsThisComputer) {
    HostHealth host("/");
    std::map<std::string, double> values;
    host.read(values);
    EXPECT_GT(values.at("host/memory_used"), 1e6);
    EXPECT_GT(values.at("host/process_memory"), 1e5);
}

}  // namespace
}  // namespace unmask
