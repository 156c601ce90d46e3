// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics/health_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/journal/event_reader.h"

namespace unmask {
namespace {

TEST(HealthWatch, WritesDeviceEventsWithTheStepTheRunIsAt) {
    namespace fs = std::filesystem;
    const RunFolder folder{fs::temp_directory_path() / ("unmask-watch-" + std::to_string(getpid()))};
    fs::create_directories(folder.path);
    std::atomic<int64_t> step{12};
    {
        auto journal = EventWriter::open(folder, 1);
        const HealthWatch watch(journal, folder.path, step, std::chrono::milliseconds(10));
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    const auto records = EventReader(folder).readRecords();
    ASSERT_FALSE(records.empty());
    const auto& event = std::get<DeviceEvent>(records.back().event);
    EXPECT_EQ(records.back().step, 12);
    EXPECT_GT(event.values.at("host/memory_used"), 0);
    fs::remove_all(folder.path);
}

}  // namespace
}  // namespace unmask
