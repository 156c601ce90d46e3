// SPDX-License-Identifier: Apache-2.0
// The only door to Qt Charts: a QChart without decoration, drawn off screen into a painter. Its axes count the pixels
// of the plot, so that a line is replaced once a frame and nothing else is recomputed by a change of range.
#pragma once

#include <QColor>
#include <QList>
#include <QPointF>
#include <QRectF>
#include <memory>

class QPainter;

namespace unmask::ui {

struct PlotLine {
    QList<QPointF> points;  // in pixels of the plot, y downwards; NaN in y breaks the line
    QColor color;
    double width = 2;
    bool crisp = false;  // without smooth edges, under all others: for dense lines, which fill their pixels anyway
};

class PlotScene {
 public:
    PlotScene();
    ~PlotScene();

    // Crisp lines first, then the others, each in their order, clipped to `plot`.
    void paint(QPainter& painter, const QRectF& plot, const QList<PlotLine>& lines, bool antialiased);

 private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace unmask::ui
