// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_widget.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_clock.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_widget_private.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {
constexpr qint64 kDescribeEveryMs = 2000;  // screen readers do not want ten changes a second
}

QFont ChartWidget::Private::tickFont() const {
    return Style::instance().font(FontRole::caption);
}

void ChartWidget::Private::dataChanged() {
    pending = true;
    if (!frozen)
        ChartClock::instance().request(q);
}

void ChartWidget::Private::viewTouched() {
    dirty = true;
    q->update();
}

void ChartWidget::Private::render() {
    const Style& style = Style::instance();
    FrameRequest request;
    request.size = q->size();
    request.devicePixelRatio = q->devicePixelRatioF();
    request.draft = drag == Drag::pan;
    request.columnsDivisor = ChartClock::instance().columnsDivisorFor(q);
    request.colors = &style.chartColors();
    request.font = tickFont();
    frame = std::make_unique<ChartFrame>(state, request);
    const QSize pixels = q->size() * request.devicePixelRatio;
    if (picture.size() != pixels)
        picture = QPixmap(pixels);
    picture.setDevicePixelRatio(request.devicePixelRatio);
    QPainter painter(&picture);
    frame->paint(painter, scene);
    dirty = false;
    pending = false;
    ChartClock::instance().drew(q, frame->drawnPoints());
    if (!sinceDescribed.isValid() || sinceDescribed.elapsed() > kDescribeEveryMs)
        describe();
}

void ChartWidget::Private::describe() {
    sinceDescribed.start();
    q->setAccessibleDescription(state.summary());
}

ChartWidget::ChartWidget(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&Style::instance(), &Style::changed, this, [this] { d->viewTouched(); });
}

ChartWidget::~ChartWidget() {
    ChartClock::instance().forget(this);
}

void ChartWidget::setTitle(const QString& title, const QString& unit) {
    d->state.title = title;
    d->state.unit = unit;
    setAccessibleName(title);
    d->viewTouched();
}

QString ChartWidget::title() const {
    return d->state.title;
}

void ChartWidget::addSeries(const QString& id, const SeriesLook& look) {
    ChartSeries* series = d->state.find(id);
    if (!series) {
        d->state.series.push_back(std::make_unique<ChartSeries>());
        series = d->state.series.back().get();
        series->id = id;
    }
    series->look = look;
    d->dataChanged();
}

void ChartWidget::removeSeries(const QString& id) {
    d->frame.reset();  // it points into the series
    std::erase_if(d->state.series, [&](const auto& one) { return one->id == id; });
    d->viewTouched();
}

void ChartWidget::clearSeries() {
    d->frame.reset();
    d->state.series.clear();
    d->state.xZoom.reset();
    d->state.yZoom.reset();
    d->viewTouched();
}

void ChartWidget::setSeriesVisible(const QString& id, bool visible) {
    if (ChartSeries* series = d->state.find(id)) {
        series->visible = visible;
        d->viewTouched();
    }
}

QStringList ChartWidget::seriesIds() const {
    QStringList ids;
    for (const auto& one : d->state.series)
        ids << one->id;
    return ids;
}

const SeriesBuffer* ChartWidget::buffer(const QString& id) const {
    const ChartSeries* series = d->state.find(id);
    return series ? &series->buffer : nullptr;
}

void ChartWidget::setData(const QString& id, const PointBatch& all) {
    if (ChartSeries* series = d->state.find(id)) {
        series->buffer.clear();
        series->buffer.append(all);
        d->dataChanged();
    }
}

void ChartWidget::appendBatch(const QString& id, const PointBatch& fresh) {
    ChartSeries* series = d->state.find(id);
    if (!series || fresh.empty())
        return;
    series->buffer.append(fresh);
    d->dataChanged();
}

void ChartWidget::resumeFrom(const QString& id, double step) {
    if (ChartSeries* series = d->state.find(id)) {
        series->buffer.resumeFrom(step);
        d->dataChanged();
    }
}

const ChartOptions& ChartWidget::options() const {
    return d->state.options;
}

void ChartWidget::setOptions(const ChartOptions& options) {
    if (options == d->state.options)
        return;
    const bool otherAxis = options.xAxis != d->state.options.xAxis;
    const bool otherScale =
        options.logarithmic != d->state.options.logarithmic || options.yRange != d->state.options.yRange;
    d->state.options = options;
    if (otherAxis) {  // the old range and cursor mean nothing on another axis
        d->state.xZoom.reset();
        d->cursor = NAN;
    }
    if (otherAxis || otherScale)
        d->state.yZoom.reset();
    d->viewTouched();
}

void ChartWidget::setXAxis(XAxis axis) {
    ChartOptions options = d->state.options;
    options.xAxis = axis;
    setOptions(options);
}

void ChartWidget::setSmoothing(const Smoothing& smoothing) {
    ChartOptions options = d->state.options;
    options.smoothing = smoothing;
    setOptions(options);
}

void ChartWidget::setLog(bool logarithmic) {
    ChartOptions options = d->state.options;
    options.logarithmic = logarithmic;
    setOptions(options);
}

void ChartWidget::setYRange(YRange range) {
    ChartOptions options = d->state.options;
    options.yRange = range;
    setOptions(options);
}

void ChartWidget::setEvidence(const std::vector<EvidenceWindow>& windows) {
    d->state.evidence = windows;
    d->viewTouched();
}

void ChartWidget::setFrozen(bool frozen) {
    d->frozen = frozen;
    if (!frozen && d->pending)
        ChartClock::instance().request(this);
}

void ChartWidget::setGroup(ChartGroup* group) {
    if (d->group)
        d->group->remove(this);
    d->group = group;
    if (group)
        group->add(this);
}

void ChartWidget::syncCursorWith(ChartWidget* other) {
    if (!other->d->group)
        other->setGroup(new ChartGroup(other->window()));
    setGroup(other->d->group);
}

void ChartWidget::setCursorAt(double x) {
    d->moveCursor(x, false);
}

void ChartWidget::setCursorAtStep(double step) {
    d->moveCursor(d->state.xOfStep(step), false);
}

void ChartWidget::zoomTo(double from, double to) {
    if (std::isfinite(from) && std::isfinite(to) && to > from)
        d->setXRange(Range{from, to});
}

void ChartWidget::resetZoom() {
    d->state.yZoom.reset();
    d->setXRange(std::nullopt);
}

QString ChartWidget::textSummary() const {
    return d->state.summary();
}

bool ChartWidget::exportPicture(const QString& file, const QSize& size, double scale, bool dark, QString* error) const {
    return exportChartPicture(d->state, d->tickFont(), {file, size, scale, dark}, error);
}

bool ChartWidget::exportCsv(const QString& file, bool onlyView, QString* error) const {
    return exportChartCsv(d->state, file, onlyView, error);
}

void ChartWidget::renderNow() {
    d->render();
}

QSize ChartWidget::sizeHint() const {
    return {Style::instance().px(26), Style::instance().px(15)};
}

QSize ChartWidget::minimumSizeHint() const {
    return {Style::instance().px(14), Style::instance().px(9)};
}

void ChartWidget::paintEvent(QPaintEvent*) {
    if (d->dirty || (d->pending && !d->frozen) || !d->frame)
        d->render();
    QPainter painter(this);
    painter.drawPixmap(0, 0, d->picture);
    const Style& style = Style::instance();
    if (std::isfinite(d->cursor)) {
        const HoverLook look{&style.chartColors(), &style.colors(), d->tickFont(), d->details, d->cursorIsOurs};
        paintHover(painter, d->state, *d->frame, d->cursor, readingsAt(d->state, *d->frame, d->cursor, d->cursorY),
                   look);
    }
    if (d->drag == Private::Drag::box) {
        const QRectF box = QRectF(d->dragFrom, d->dragTo).normalized().intersected(d->frame->plot());
        QColor fill = style.colors().accent;
        fill.setAlphaF(0.12F);
        painter.fillRect(box, fill);
        painter.setPen(QPen(style.colors().accent, 1));
        painter.drawRect(box);
    }
    if (hasFocus() && d->keyboardFocus) {
        painter.setPen(QPen(style.colors().accent, 1.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
}

void ChartWidget::resizeEvent(QResizeEvent* event) {
    d->dirty = true;
    QWidget::resizeEvent(event);
}

void ChartWidget::showEvent(QShowEvent* event) {
    update();
    QWidget::showEvent(event);
}

void ChartWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        d->describe();
        d->viewTouched();
    }
    QWidget::changeEvent(event);
}

}  // namespace unmask::ui
