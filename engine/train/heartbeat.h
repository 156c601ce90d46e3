// SPDX-License-Identifier: Apache-2.0
// Proof of life from a thread that never computes: state.json and durable records each second. It also sees to it that
// a second signal ends the run within two seconds even while the loop is busy with a long step or a save.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "engine/journal/event_writer.h"
#include "engine/journal/run_state.h"

namespace unmask {

class Heartbeat {
 public:
    // endNow: called once, from this thread, when a second signal has not been obeyed; does not return.
    Heartbeat(RunFolder folder, EventWriter& journal, const std::atomic<int64_t>& step, std::function<void()> endNow);
    ~Heartbeat();  // writes state.json a last time
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    // Recorded as a phase event, and shown in state.json from now on.
    void enter(const std::string& phase, const std::string& detail = {});
    std::string phase() const;
    void setTotalSteps(int64_t steps) { m_totalSteps = steps; }

 private:
    void beat();
    void write();
    bool secondSignalIgnored();

    RunFolder m_folder;
    EventWriter& m_journal;
    const std::atomic<int64_t>& m_step;
    std::function<void()> m_endNow;
    ProcessIdentity m_process;
    std::atomic<int64_t> m_totalSteps{0};
    int64_t m_beats = 0;
    int m_patience = 0;
    bool m_hadTrouble = false;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::string m_phase = "starting";
    bool m_ending = false;
    std::thread m_thread;
};

// A phase for the length of a scope; the one before comes back afterwards.
class PhaseScope {
 public:
    PhaseScope(Heartbeat& heartbeat, const std::string& phase) : m_heartbeat(heartbeat), m_before(heartbeat.phase()) {
        m_heartbeat.enter(phase);
    }
    ~PhaseScope() { m_heartbeat.enter(m_before); }
    PhaseScope(const PhaseScope&) = delete;
    PhaseScope& operator=(const PhaseScope&) = delete;

 private:
    Heartbeat& m_heartbeat;
    std::string m_before;
};

}  // namespace unmask
