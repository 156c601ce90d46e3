// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_clock.h"

#include "ui/charts/chart_widget.h"

namespace unmask::ui {

ChartClock::ChartClock() {
    m_timer.setInterval(kFrameIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &ChartClock::tick);
}

ChartClock& ChartClock::instance() {
    static ChartClock clock;
    return clock;
}

void ChartClock::request(ChartWidget* chart) {
    m_waiting.insert(chart);
    if (!m_timer.isActive())
        m_timer.start();
}

void ChartClock::forget(ChartWidget* chart) {
    m_waiting.remove(chart);
    m_drawn.remove(chart);
}

void ChartClock::drew(ChartWidget* chart, size_t points) {
    m_drawn[chart] = points;
}

int ChartClock::columnsDivisorFor(const ChartWidget* chart) const {
    size_t total = 0;
    for (auto it = m_drawn.cbegin(); it != m_drawn.cend(); ++it)
        if (it.key()->isVisible())
            total += it.value();
    return total > kPointBudget && !chart->underMouse() ? 2 : 1;
}

void ChartClock::tick() {
    if (m_waiting.isEmpty()) {
        m_timer.stop();
        return;
    }
    const QSet<ChartWidget*> waiting = std::exchange(m_waiting, {});
    for (ChartWidget* chart : waiting)
        chart->update();  // paints only what is on screen; a hidden chart stays marked and paints when shown
}

}  // namespace unmask::ui
