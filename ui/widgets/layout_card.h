// SPDX-License-Identifier: Apache-2.0
// Paints one device of a layout: a card with its blocks and memory, or a small tile where there are many. Colour is the
// copy of the model, the stripe at the left the stage of the pipeline, the number the slice of each layer; words say
// all three again.
#pragma once

#include <QRectF>

#include "ui/widgets/layout_scene.h"

class QPainter;

namespace unmask::ui {

double deviceCardHeight();
double deviceCardWidth(const LayoutScene& scene);  // at least, so that the place of each rank can be read
double deviceTileSize();

void paintDeviceCard(QPainter& painter, const QRectF& box, const LayoutScene& scene, qint64 device);
void paintDeviceTile(QPainter& painter, const QRectF& box, const LayoutScene& scene, qint64 device);

}  // namespace unmask::ui
