// SPDX-License-Identifier: Apache-2.0
// One template, filled from the colours and the em of the moment.
#pragma once

#include <QPalette>
#include <QString>

#include "ui/style/colors.h"

namespace unmask::ui {

QString styleSheetFor(const Colors& colors, double emPixels);
QPalette paletteFor(const Colors& colors);

}  // namespace unmask::ui
