// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/dense_line.h"

#include <algorithm>
#include <cmath>

namespace unmask::ui {
namespace {

struct InkedColumn {
    double place = 0;  // the column's number
    QPointF only;      // its first point
    double high = 0;
    double low = 0;
    bool empty = true;

    void add(const QPointF& point) {
        if (empty)
            only = point;
        high = empty ? point.y() : std::min(high, point.y());
        low = empty ? point.y() : std::max(low, point.y());
        empty = false;
    }
};

void flush(InkedColumn& column, double devicePixelRatio, QList<QPointF>& line) {
    if (column.empty)
        return;
    if (column.high == column.low) {
        line.append(column.only);
    } else {
        const double x = (column.place + 0.5) / devicePixelRatio;
        const double from = line.isEmpty() || std::isnan(line.constLast().y()) ? column.only.y() : line.constLast().y();
        const bool highFirst = std::abs(column.high - from) <= std::abs(column.low - from);
        line.append(QPointF(x, highFirst ? column.high : column.low));
        line.append(QPointF(x, highFirst ? column.low : column.high));
    }
    column.empty = true;
}

}  // namespace

QList<QPointF> columnEnvelope(const QList<QPointF>& points, double devicePixelRatio) {
    QList<QPointF> line;
    line.reserve(points.size());
    InkedColumn column;
    for (const QPointF& point : points) {
        if (std::isnan(point.y())) {
            flush(column, devicePixelRatio, line);
            line.append(point);
            continue;
        }
        const double place = std::floor(point.x() * devicePixelRatio);
        if (place != column.place)
            flush(column, devicePixelRatio, line);
        column.place = place;
        column.add(point);
    }
    flush(column, devicePixelRatio, line);
    return line;
}

}  // namespace unmask::ui
