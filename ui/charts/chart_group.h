// SPDX-License-Identifier: Apache-2.0
// Charts of one page that share the cursor line and the zoom along x. Nobody owns anybody: a chart that dies leaves.
#pragma once

#include <QObject>
#include <QPointer>

namespace unmask::ui {

class ChartWidget;

class ChartGroup final : public QObject {
    Q_OBJECT
 public:
    using QObject::QObject;

    void add(ChartWidget* chart);
    void remove(ChartWidget* chart);
    void setZoomShared(bool shared) { m_zoomShared = shared; }

    void moveCursor(ChartWidget* from, double x);             // by the chart under the mouse
    void zoom(ChartWidget* from, double left, double right);  // NaN, NaN: reset
    QList<ChartWidget*> charts() const;

 private:
    QList<QPointer<ChartWidget>> m_charts;
    bool m_zoomShared = true;
};

}  // namespace unmask::ui
