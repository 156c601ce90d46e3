// SPDX-License-Identifier: Apache-2.0
// One timer for all charts: whatever arrives is drawn at most ten times a second, and hidden charts not at all. When
// all visible charts together would draw too many points, those without the mouse are drawn with half the columns.
#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>

namespace unmask::ui {

class ChartWidget;

constexpr int kFrameIntervalMs = 100;
constexpr size_t kPointBudget = 100000;  // in all lines of all visible charts at ten frames a second

class ChartClock final : public QObject {
    Q_OBJECT
 public:
    static ChartClock& instance();

    void request(ChartWidget* chart);  // draw it at the next tick
    void forget(ChartWidget* chart);
    void drew(ChartWidget* chart, size_t points);
    int columnsDivisorFor(const ChartWidget* chart) const;
    bool active() const { return m_timer.isActive(); }

 private:
    ChartClock();
    void tick();

    QTimer m_timer;
    QSet<ChartWidget*> m_waiting;
    QHash<const ChartWidget*, size_t> m_drawn;
};

}  // namespace unmask::ui
