// SPDX-License-Identifier: Apache-2.0
#include "app/latency_watch.h"

#include <time.h>

#include <algorithm>

namespace unmask::ui {

namespace {

constexpr int kTickMs = 5;

qint64 threadCpuNs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return qint64{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

LatencyWatch::LatencyWatch(QObject* parent) : QObject(parent) {
    m_clock.start();
    m_lastCpuNs = threadCpuNs();
    m_tick.setTimerType(Qt::PreciseTimer);
    connect(&m_tick, &QTimer::timeout, this, &LatencyWatch::onTick);
    m_tick.start(kTickMs);
}

void LatencyWatch::logTo(const QString& file) {
    m_log.setFileName(file);
    if (!m_log.open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Text))
        return;
    connect(&m_second, &QTimer::timeout, this, &LatencyWatch::onSecond);
    m_second.start(1000);
}

void LatencyWatch::onTick() {
    const qint64 wall = m_clock.nsecsElapsed();
    const qint64 cpu = threadCpuNs();
    const Gap gap{std::max(0.0, static_cast<double>(wall - m_lastWallNs) / 1e6 - kTickMs),
                  static_cast<double>(cpu - m_lastCpuNs) / 1e6};
    m_lastWallNs = wall;
    m_lastCpuNs = cpu;
    for (Gap* longest : {&m_longest, &m_longestOfSecond})
        if (gap.wallMs > longest->wallMs)
            *longest = gap;
}

void LatencyWatch::onSecond() {
    m_log.write(QStringLiteral("{\"wall_ms\":%1,\"cpu_ms\":%2}\n")
                    .arg(m_longestOfSecond.wallMs, 0, 'f', 1)
                    .arg(m_longestOfSecond.cpuMs, 0, 'f', 1)
                    .toUtf8());
    m_log.flush();
    m_longestOfSecond = {};
}

}  // namespace unmask::ui
