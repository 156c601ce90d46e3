// SPDX-License-Identifier: Apache-2.0
// The shapes of the icons on a 24 × 24 grid. A shape is written as text: M x y, L x y, C (cubic), A (circle: centre and
// radius), R (rounded box: x y w h r), Z; after "F" the rest is filled.
#pragma once

#include <QPainterPath>

#include "ui/style/icons.h"

namespace unmask::ui {

struct IconShape {
    QPainterPath strokes;
    QPainterPath filled;
};

const IconShape& shapeOf(Icon which);

}  // namespace unmask::ui
