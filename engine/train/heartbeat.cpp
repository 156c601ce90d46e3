// SPDX-License-Identifier: Apache-2.0
#include "engine/train/heartbeat.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "engine/base/clock.h"
#include "engine/train/stop_signals.h"

namespace unmask {

namespace {
constexpr auto kTick = std::chrono::milliseconds(100);
constexpr int kTicksPerBeat = 10;
constexpr int kPatienceTicks = 20;
}  // namespace

Heartbeat::Heartbeat(RunFolder folder, EventWriter& journal, const std::atomic<int64_t>& step,
                     std::function<void()> endNow)
    : m_folder(std::move(folder)),
      m_journal(journal),
      m_step(step),
      m_endNow(std::move(endNow)),
      m_process(ownIdentity()) {
    write();
    m_thread = std::thread([this] { beat(); });
}

Heartbeat::~Heartbeat() {
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wake.notify_all();
    m_thread.join();
    write();
}

void Heartbeat::enter(const std::string& phase, const std::string& detail) {
    {
        const std::lock_guard lock(m_mutex);
        m_phase = phase;
    }
    m_journal.append(m_step.load(), PhaseEvent{phase, detail});
}

std::string Heartbeat::phase() const {
    const std::lock_guard lock(m_mutex);
    return m_phase;
}

void Heartbeat::beat() {
    std::unique_lock lock(m_mutex);
    for (int tick = 1; !m_wake.wait_for(lock, kTick, [this] { return m_ending; }); ++tick) {
        lock.unlock();
        if (tick % kTicksPerBeat == 0)
            write();
        if (secondSignalIgnored())
            m_endNow();
        lock.lock();
    }
}

// Trouble with the disk is news for the people who watch, not a reason to end: the records wait in memory.
void Heartbeat::write() {
    std::string trouble;
    try {
        m_journal.sync();
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    try {
        ++m_beats;
        writeRunState(m_folder, {.attempt = m_journal.attempt(),
                                 .phase = phase(),
                                 .step = m_step.load(),
                                 .totalSteps = m_totalSteps.load(),
                                 .seq = m_journal.lastSeq(),
                                 .durableSeq = m_journal.durableSeq(),
                                 .process = m_process,
                                 .heartbeat = m_beats,
                                 .writtenAt = utcNow()});
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    const bool hadTrouble = std::exchange(m_hadTrouble, !trouble.empty());
    if (!trouble.empty() && !hadTrouble)  // once, not each second
        std::fprintf(stderr, "%s\n", trouble.c_str());
}

bool Heartbeat::secondSignalIgnored() {
    return stopSignal().count >= 2 && ++m_patience == kPatienceTicks;
}

}  // namespace unmask
