// SPDX-License-Identifier: Apache-2.0
// A line that goes up and down many times within each column of pixels inks the column from its lowest to its highest
// place. Drawing just that costs half the strokes of its first, least, greatest and last points, and looks the same.
#pragma once

#include <QList>
#include <QPointF>

namespace unmask::ui {

// Points in pixels of the plot, NaN in y where the line breaks; a column is 1 / devicePixelRatio wide. Each column
// keeps its two extremes on its middle, the one nearer to where the line came from first; a lone point stays where it
// is.
QList<QPointF> columnEnvelope(const QList<QPointF>& points, double devicePixelRatio);

}  // namespace unmask::ui
