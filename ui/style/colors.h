// SPDX-License-Identifier: Apache-2.0
// The colours of both themes, each written once. Tests compute every contrast that people have to read by:
// at least 4.5 : 1 for text and 3 : 1 for lines.
#pragma once

#include <QColor>
#include <array>

namespace unmask::ui {

struct Colors {
    bool dark = false;
    QColor window;   // behind everything
    QColor surface;  // cards, tables, dialogs
    QColor raised;   // hovered rows and buttons on a surface
    QColor sunken;   // editors, logs
    QColor rail;     // navigation at the left
    QColor border;   // hairlines between areas
    QColor outline;  // round editors and buttons: at least 3 : 1 on the surface
    QColor text;
    QColor textMuted;   // captions and units, still 4.5 : 1
    QColor accent;      // main button, selection, links
    QColor accentText;  // on accent
    QColor accentSoft;  // selected row, selected card
    QColor success;
    QColor successSoft;
    QColor warning;
    QColor warningSoft;
    QColor danger;
    QColor dangerSoft;
    QColor info;
    QColor infoSoft;
};

constexpr int kSeriesColors = 8;

struct ChartColors {
    QColor background;
    QColor grid;
    QColor axis;  // baseline and ticks
    QColor text;  // tick labels
    QColor cursor;
    QColor joint;                              // where a resumed run goes on
    QColor band;                               // a marked evidence window
    QColor bad;                                // NaN, infinity and values a log axis cannot show
    std::array<QColor, kSeriesColors> series;  // told apart with each common colour blindness
};

const Colors& lightColors();
const Colors& darkColors();
const ChartColors& lightChartColors();
const ChartColors& darkChartColors();

// WCAG 2 relative luminance contrast, 1 to 21; alpha is ignored.
double contrast(const QColor& a, const QColor& b);
// `over` with opacity `share` painted on `under`.
QColor mix(const QColor& under, const QColor& over, double share);

}  // namespace unmask::ui
