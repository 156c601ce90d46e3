// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics/health_watch.h"

namespace unmask {

HealthWatch::HealthWatch(EventWriter& journal, std::filesystem::path place, const std::atomic<int64_t>& step,
                         std::chrono::milliseconds period)
    : m_journal(journal), m_step(step), m_period(period), m_host(std::move(place)), m_thread([this] { watch(); }) {}

HealthWatch::~HealthWatch() {
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void HealthWatch::watch() {
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, m_period, [this] { return m_ending; })) {
        DeviceEvent event;
        m_host.read(event.values);
        m_gpus.read(event.values);
        try {
            if (!event.values.empty())
                m_journal.append(m_step.load(), std::move(event));
        } catch (const Error&) {  // the loop meets the same trouble with the journal and ends the run in words
        }
    }
}

}  // namespace unmask
