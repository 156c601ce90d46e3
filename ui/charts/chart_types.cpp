// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_types.h"

namespace unmask::ui {

void PointBatch::reserve(size_t points) {
    for (auto* column : {&step, &tokens, &activeSeconds, &wallSeconds, &value})
        column->reserve(points);
}

void PointBatch::push(double stepValue, double tokenCount, double active, double wall, double y) {
    step.push_back(stepValue);
    tokens.push_back(tokenCount);
    activeSeconds.push_back(active);
    wallSeconds.push_back(wall);
    value.push_back(y);
}

}  // namespace unmask::ui
