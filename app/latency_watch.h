// SPDX-License-Identifier: Apache-2.0
// Measures how long the event loop keeps people waiting: a 5 ms timer notes how late it comes. Wall time counts waits
// for other programs too, so the processor time of the thread in the same gap is kept beside it; a gap in which the
// thread computed less than half is the machine's, not ours, unless it waited for a file.
#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QObject>
#include <QTimer>

namespace unmask::ui {

class LatencyWatch final : public QObject {
    Q_OBJECT
 public:
    struct Gap {
        double wallMs = 0;
        double cpuMs = 0;  // of the watched thread
    };
    explicit LatencyWatch(QObject* parent = nullptr);

    void logTo(const QString& file);  // one JSON line a second: longest gap since the last line
    Gap longest() const { return m_longest; }
    void reset() { m_longest = {}; }

 private:
    void onTick();
    void onSecond();

    QTimer m_tick;
    QTimer m_second;
    QElapsedTimer m_clock;
    qint64 m_lastWallNs = 0;
    qint64 m_lastCpuNs = 0;
    Gap m_longest;
    Gap m_longestOfSecond;
    QFile m_log;
};

}  // namespace unmask::ui
