// SPDX-License-Identifier: Apache-2.0
// Pictures and tables of a chart. Files are for machines: point decimals, ISO times, NaN written as NaN.
#pragma once

#include <QFont>
#include <QString>

#include "ui/charts/chart_state.h"

namespace unmask::ui {

struct PictureRequest {
    QString file;
    QSize size;
    double scale = 1;
    bool dark = false;
};

// False with a sentence in *error when the file cannot be written.
bool exportChartPicture(const ChartState& state, const QFont& font, const PictureRequest& request, QString* error);
bool exportChartCsv(const ChartState& state, const QString& file, bool onlyView, QString* error);

}  // namespace unmask::ui
