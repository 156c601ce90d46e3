// SPDX-License-Identifier: Apache-2.0
// Mouse and keys of ChartWidget. We set ranges ourselves and decimate again; Qt Charts' own zoom is never used.
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_widget_private.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

constexpr double kSmallestBox = 5;  // pixels; less is a click
constexpr double kFlatBox = 12;     // pixels; a flatter box zooms along x only
constexpr double kPanShare = 0.15;  // of the view, with Ctrl+arrows
constexpr double kZoomFactor = 0.7;
constexpr double kDeepestZoom = 1e-9;  // of the whole range

bool wantsPan(const QMouseEvent* event) {
    return event->button() == Qt::MiddleButton ||
           (event->button() == Qt::LeftButton && (event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier)));
}

}  // namespace

void ChartWidget::Private::moveCursor(double x, bool ours) {
    if (x == cursor || (std::isnan(x) && std::isnan(cursor)))
        return;
    cursor = x;
    cursorIsOurs = ours && std::isfinite(x);
    q->update();
    if (!ours)
        return;
    if (group)
        group->moveCursor(q, x);
    Q_EMIT q->cursorMoved(x);
}

void ChartWidget::Private::setXRange(std::optional<Range> range) {
    if (range && state.dataRange() && range->span() < state.dataRange()->span() * kDeepestZoom)
        return;
    state.xZoom = range;
    viewTouched();
    if (q->signalsBlocked())
        return;
    if (group)
        group->zoom(q, range ? range->from : NAN, range ? range->to : NAN);
    Q_EMIT q->viewChanged();
}

void ChartWidget::Private::zoomAround(double x, double factor) {
    const Range range = state.xRange();
    const double center = std::isfinite(x) && x >= range.from && x <= range.to ? x : (range.from + range.to) / 2;
    Range next{center - (center - range.from) * factor, center + (range.to - center) * factor};
    if (const auto whole = state.dataRange(); whole && next.span() >= whole->span()) {
        q->resetZoom();
        return;
    }
    setXRange(next);
}

void ChartWidget::Private::pan(double share) {
    const Range range = state.xRange();
    setXRange(Range{range.from + range.span() * share, range.to + range.span() * share});
}

void ChartWidget::Private::finishBox() {
    const QRectF box = QRectF(dragFrom, dragTo).normalized();
    if (!frame || box.width() < kSmallestBox)
        return;
    const QRectF inside = box.intersected(frame->plot());
    const Range x{frame->xAt(inside.left()), frame->xAt(inside.right())};
    if (inside.height() >= kFlatBox)
        state.yZoom = Range{frame->yAt(inside.bottom()), frame->yAt(inside.top())};
    setXRange(x);
}

// Along the points of the first visible series, so that every single one can be read.
void ChartWidget::Private::stepCursor(int points) {
    for (const auto& one : state.series) {
        const Column& x = one->buffer.axis(state.options.xAxis);
        if (!one->visible || x.size() == 0)
            continue;
        const Range range = state.xRange();
        const double from = std::isfinite(cursor) ? cursor : (points > 0 ? range.from : range.to);
        const auto index = static_cast<std::ptrdiff_t>(one->buffer.nearest(state.options.xAxis, from).value_or(0));
        const auto last = static_cast<std::ptrdiff_t>(x.size()) - 1;
        const double place = x.at(static_cast<size_t>(std::clamp<std::ptrdiff_t>(index + points, 0, last)));
        if (place > range.to || place < range.from)
            setXRange(Range{place - range.span() / 2, place + range.span() / 2});
        moveCursor(place, true);
        if (frame)
            q->setAccessibleDescription(readingText(state, readingsAt(state, *frame, place, cursorY)));
        return;
    }
}

void ChartWidget::mousePressEvent(QMouseEvent* event) {
    if (!d->frame)
        return;
    d->dragFrom = d->dragTo = event->position();
    if (wantsPan(event)) {
        d->drag = Private::Drag::pan;
        d->panX = d->state.xRange();
        d->panY = d->frame->yRange();
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        d->drag = Private::Drag::box;
    } else {
        QWidget::mousePressEvent(event);
    }
}

void ChartWidget::mouseMoveEvent(QMouseEvent* event) {
    if (!d->frame)
        return;
    d->dragTo = event->position();
    d->details = event->modifiers() & Qt::ShiftModifier;
    d->cursorY = event->position().y();
    if (d->drag == Private::Drag::pan) {
        const QPointF moved = d->dragTo - d->dragFrom;
        const double x = -moved.x() / d->frame->plot().width() * d->panX.span();
        if (d->state.yZoom) {
            const double y = moved.y() / d->frame->plot().height() * d->panY.span();
            d->state.yZoom = Range{d->panY.from + y, d->panY.to + y};
        }
        d->setXRange(Range{d->panX.from + x, d->panX.to + x});
        return;
    }
    const bool inside = d->frame->plot().adjusted(-2, -8, 2, 8).contains(event->position());
    d->moveCursor(
        inside ? d->frame->xAt(std::clamp(event->position().x(), d->frame->plot().left(), d->frame->plot().right()))
               : NAN,
        true);
    update();
}

void ChartWidget::mouseReleaseEvent(QMouseEvent*) {
    const auto drag = std::exchange(d->drag, Private::Drag::none);
    unsetCursor();
    if (drag == Private::Drag::box)
        d->finishBox();
    d->viewTouched();  // once more with smooth edges
}

void ChartWidget::mouseDoubleClickEvent(QMouseEvent*) {
    d->drag = Private::Drag::none;
    resetZoom();
}

void ChartWidget::leaveEvent(QEvent* event) {
    d->moveCursor(NAN, true);
    QWidget::leaveEvent(event);
}

void ChartWidget::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::AltModifier) || !d->frame) {
        event->ignore();  // the page scrolls
        return;
    }
    // With Alt, some platforms report a vertical wheel as a horizontal one.
    const int turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    d->zoomAround(d->frame->xAt(event->position().x()), std::pow(kZoomFactor, turned / 120.0));
    event->accept();
}

void ChartWidget::keyPressEvent(QKeyEvent* event) {
    const bool control = event->modifiers() & Qt::ControlModifier;
    const int far = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    ChartOptions options = d->state.options;
    switch (event->key()) {
        case Qt::Key_Left:
            control ? d->pan(-kPanShare) : d->stepCursor(-far);
            return;
        case Qt::Key_Right:
            control ? d->pan(kPanShare) : d->stepCursor(far);
            return;
        case Qt::Key_Home:
            d->moveCursor(d->state.xRange().from, true);
            return;
        case Qt::Key_End:
            d->moveCursor(d->state.xRange().to, true);
            return;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            d->zoomAround(d->cursor, kZoomFactor);
            return;
        case Qt::Key_Minus:
            d->zoomAround(d->cursor, 1 / kZoomFactor);
            return;
        case Qt::Key_0:
            resetZoom();
            return;
        case Qt::Key_Escape:
            d->moveCursor(NAN, true);
            return;
        case Qt::Key_M:
            Q_EMIT maximiseRequested();
            return;
        case Qt::Key_L:
            options.logarithmic = !options.logarithmic;
            break;
        case Qt::Key_F:
            options.yRange = options.yRange == YRange::all ? YRange::percentile5 : YRange::all;
            break;
        default:
            QWidget::keyPressEvent(event);
            return;
    }
    setOptions(options);
    Q_EMIT optionsChanged();
}

void ChartWidget::focusInEvent(QFocusEvent* event) {
    d->keyboardFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                       event->reason() == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
}

void ChartWidget::contextMenuEvent(QContextMenuEvent* event) {
    event->ignore();  // the panel around the chart has the menu
}

}  // namespace unmask::ui
