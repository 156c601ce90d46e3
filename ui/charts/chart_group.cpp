// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_group.h"

#include <cmath>

#include "ui/charts/chart_widget.h"

namespace unmask::ui {

void ChartGroup::add(ChartWidget* chart) {
    if (!m_charts.contains(chart))
        m_charts.append(chart);
}

void ChartGroup::remove(ChartWidget* chart) {
    m_charts.removeIf([chart](const QPointer<ChartWidget>& one) { return one.isNull() || one == chart; });
}

QList<ChartWidget*> ChartGroup::charts() const {
    QList<ChartWidget*> alive;
    for (const QPointer<ChartWidget>& chart : m_charts)
        if (chart)
            alive.append(chart);
    return alive;
}

void ChartGroup::moveCursor(ChartWidget* from, double x) {
    for (ChartWidget* chart : charts())
        if (chart != from && chart->options().xAxis == from->options().xAxis)
            chart->setCursorAt(x);
}

void ChartGroup::zoom(ChartWidget* from, double left, double right) {
    if (!m_zoomShared)
        return;
    for (ChartWidget* chart : charts()) {
        if (chart == from || chart->options().xAxis != from->options().xAxis)
            continue;
        const QSignalBlocker quiet(chart);
        if (std::isnan(left))
            chart->resetZoom();
        else
            chart->zoomTo(left, right);
    }
}

}  // namespace unmask::ui
