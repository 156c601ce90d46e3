// SPDX-License-Identifier: Apache-2.0
// The inside of ChartWidget, shared by its two source files (data and view; mouse and keys).
#pragma once

#include <QElapsedTimer>
#include <QPixmap>
#include <QPointer>

#include "ui/charts/chart_frame.h"
#include "ui/charts/chart_group.h"
#include "ui/charts/chart_hover.h"
#include "ui/charts/chart_state.h"
#include "ui/charts/chart_widget.h"

namespace unmask::ui {

struct ChartWidget::Private {
    explicit Private(ChartWidget* chart) : q(chart) {}

    ChartWidget* q;
    ChartState state;
    PlotScene scene;
    std::unique_ptr<ChartFrame> frame;
    QPixmap picture;
    bool dirty = true;     // the view changed: draw at once
    bool pending = false;  // data arrived: draw at the next tick, unless frozen
    bool frozen = false;
    QPointer<ChartGroup> group;
    bool echoing = false;  // a change that came from the group does not go back to it

    double cursor = NAN;  // on the x axis
    double cursorY = 0;   // in pixels, for "nearest"
    bool cursorIsOurs = false;
    bool details = false;
    bool keyboardFocus = false;  // the ring is for those who came by keyboard
    enum class Drag { none, box, pan } drag = Drag::none;
    QPointF dragFrom;
    QPointF dragTo;
    Range panX;
    Range panY;
    QElapsedTimer sinceDescribed;

    void dataChanged();  // draw at the next tick
    void viewTouched();  // draw at once
    void render();
    void describe();
    void moveCursor(double x, bool ours);
    void setXRange(std::optional<Range> range);
    void zoomAround(double x, double factor);
    void pan(double share);
    void finishBox();
    void stepCursor(int points);
    QFont tickFont() const;
};

}  // namespace unmask::ui
