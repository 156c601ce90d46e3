// SPDX-License-Identifier: Apache-2.0
// M4: the first, smallest, largest and last value of each pixel column, in their order, so that every spike survives at
// every zoom and the drawn line is the one that all points would have drawn.
#pragma once

#include <QList>
#include <QPointF>
#include <vector>

#include "ui/charts/value_column.h"

namespace unmask::ui {

struct DecimationView {
    double from = 0;  // range of x shown
    double to = 1;
    int columns = 1;           // width of the plot in device pixels
    bool logarithmic = false;  // y becomes log10(y); values <= 0 become gaps with a mark
};

// What cannot be drawn as a line, at most one a pixel column.
struct BadMark {
    double x = 0;
    double y = 0;  // where the last good value was (already log10 where asked)
    bool nan = false;
    bool plusInfinity = false;
    bool minusInfinity = false;
    bool notPositive = false;  // a log axis cannot show it
};

struct Decimated {
    QList<QPointF> line;        // NaN in y breaks it
    QList<QPointF> lonePoints;  // finite points with gaps on both sides: a line of them would draw nothing
    std::vector<BadMark> marks;
    size_t points = 0;  // of the series that lie in the range
};

Decimated decimate(const Column& x, const ValueColumn& y, const DecimationView& view);

struct ColumnStats {
    double min = 0;
    double max = 0;
    size_t count = 0;
    size_t bad = 0;
};
ColumnStats statsBetween(const Column& x, const ValueColumn& y, double from,
                         double to);  // of one pixel column, for Shift

}  // namespace unmask::ui
