// SPDX-License-Identifier: Apache-2.0
// Writes a device event every two seconds from its own thread; a slow driver never slows training.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "engine/journal/event_writer.h"
#include "engine/metrics/gpu_health.h"
#include "engine/metrics/host_health.h"

namespace unmask {

class HealthWatch {
 public:
    HealthWatch(EventWriter& journal, std::filesystem::path place, const std::atomic<int64_t>& step,
                std::chrono::milliseconds period = std::chrono::seconds(2));
    ~HealthWatch();
    HealthWatch(const HealthWatch&) = delete;
    HealthWatch& operator=(const HealthWatch&) = delete;

 private:
    void watch();

    EventWriter& m_journal;
    const std::atomic<int64_t>& m_step;
    std::chrono::milliseconds m_period;
    HostHealth m_host;
    GpuHealth m_gpus;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ending = false;
    std::thread m_thread;
};

}  // namespace unmask
