// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_frame.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/style/numbers.h"

namespace unmask::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Chart)
};

constexpr double kRoomAbove = 0.06;  // of the range, so that lines do not touch the border
constexpr size_t kWholeBelow = 40;   // with fewer points nothing is an outlier
constexpr double kTailHidden = 0.0;

double lowShareOf(YRange range) {
    return range == YRange::percentile5 ? 0.05 : range == YRange::percentile1 ? 0.01 : kTailHidden;
}

void include(std::optional<Range>& whole, const Range& part) {
    whole = whole ? Range{std::min(whole->from, part.from), std::max(whole->to, part.to)} : part;
}

std::optional<Range> extremes(const Decimated& data) {
    std::optional<Range> range;
    for (const QPointF& point : data.line)
        if (std::isfinite(point.y()))
            include(range, {point.y(), point.y()});
    return range;
}

}  // namespace

QString valueText(const ChartState& state, double value) {
    if (state.unit == QLatin1String("bytes"))
        return numbers::memory(value);
    if (state.unit == QLatin1String("tokens/s"))
        return numbers::tokenRate(value);
    if (state.unit == QLatin1String("°C"))
        return numbers::temperature(value);
    if (state.unit == QLatin1String("%"))
        return numbers::percent(value);  // recorded as a share of 1
    return numbers::loss(value);
}

QString xText(XAxis axis, double x) {
    switch (axis) {
        case XAxis::step:
            return Words::tr("step %1").arg(numbers::exact(std::round(x)));
        case XAxis::tokens:
            return Words::tr("%1 tokens").arg(numbers::count(x));
        case XAxis::activeTime:
            return numbers::preciseDuration(x);
        case XAxis::wallClock:
            return numbers::timeOfDay(x);
    }
    return {};
}

ChartFrame::ChartFrame(const ChartState& state, FrameRequest request)
    : m_state(state), m_request(std::move(request)), m_em(QFontMetricsF(m_request.font).height()) {
    m_x = m_state.xRange();
    m_plot = QRectF(QPointF(), QSizeF(m_request.size)).adjusted(m_em * 3, m_em * 0.4, -m_em * 0.6, -m_em * 1.4);
    chooseLines();
    chooseYRange();
    layOut();
}

DecimationView ChartFrame::view() const {
    const double columns = m_plot.width() * m_request.devicePixelRatio / m_request.columnsDivisor;
    return {m_x.from, m_x.to, std::max(1, static_cast<int>(columns)), m_state.options.logarithmic};
}

void ChartFrame::chooseLines() {
    const DecimationView wanted = view();
    const XAxis axis = m_state.options.xAxis;
    for (const auto& one : m_state.series)
        if (one->visible)
            for (const SeriesPiece& piece : one->buffer.beforeResume())
                m_tails.push_back(decimate(piece.axis(axis), piece.values, wanted));
    size_t tail = 0;
    for (const auto& one : m_state.series) {
        if (!one->visible)
            continue;
        for (size_t i = 0; i < one->buffer.beforeResume().size(); ++i)
            m_lines.push_back({one.get(), &m_tails[tail++], true, true});
        if (one->buffer.size() == 0)
            continue;
        m_empty = false;
        const bool smooth = m_state.smooths(*one);
        if (!smooth || m_state.options.showRaw)
            m_lines.push_back({one.get(), &one->raw(axis, wanted), smooth, one->look.thin || smooth});
        if (smooth)
            m_lines.push_back(
                {one.get(), &one->smoothed(m_state.options.smoothing, axis, wanted), false, one->look.thin});
    }
    for (const Line& line : m_lines)
        m_drawnPoints += static_cast<size_t>(line.data->line.size());
    // Faint lines lie under all others.
    std::stable_partition(m_lines.begin(), m_lines.end(), [](const Line& line) { return line.faint; });
}

void ChartFrame::chooseYRange() {
    std::optional<Range> range;
    const double lowShare = lowShareOf(m_state.options.yRange);
    size_t points = 0;
    for (const Line& line : m_lines)
        points = std::max(points, line.data->points);
    for (const Line& line : m_lines) {
        const bool tail = line.faint && !m_state.smooths(*line.series);
        if (tail)
            continue;
        std::optional<Range> part;
        const Column& x = line.series->buffer.axis(m_state.options.xAxis);
        if (lowShare > 0 && points >= kWholeBelow && x.ascending()) {
            const ValueColumn& values = line.faint ? line.series->buffer.values() : m_state.shownValues(*line.series);
            part = percentileRange(values, x.lowerBound(m_x.from), x.lowerBound(std::nextafter(m_x.to, INFINITY)),
                                   lowShare, m_state.options.logarithmic);
        } else {
            part = extremes(*line.data);
        }
        if (part)
            include(range, *part);
    }
    if (range && m_state.unit == QLatin1String("%") && !m_state.options.logarithmic)
        include(range, Range{0, 1});  // a share is read against the whole
    m_y = range.value_or(m_state.options.logarithmic ? Range{-1, 1} : Range{0, 1});
    const double least = std::max(std::abs(m_y.to) * 1e-9, 1e-300);
    const double pad = m_y.span() > least ? m_y.span() * kRoomAbove : m_y.to == 0 ? 0.5 : std::abs(m_y.to) * 0.1;
    m_y = {m_y.from - pad, m_y.to + pad};
    if (m_state.yZoom)
        m_y = *m_state.yZoom;
    if (m_state.options.logarithmic)
        return;
    for (const auto& one : m_state.series) {
        const Column& x = one->buffer.axis(m_state.options.xAxis);
        if (!one->visible || !x.ascending())
            continue;
        const bool raw = m_state.options.showRaw || !m_state.smooths(*one);
        const Outside part =
            countOutside(raw ? one->buffer.values() : m_state.shownValues(*one), x.lowerBound(m_x.from),
                         x.lowerBound(std::nextafter(m_x.to, INFINITY)), m_y.from, m_y.to);
        m_outside.above += part.above;
        m_outside.below += part.below;
    }
}

void ChartFrame::layOut() {
    const QFontMetricsF metrics(m_request.font);
    const double height = m_request.size.height();
    layOutLegend();
    const double top = m_em * 0.35 + m_legendHeight;
    const double bottom = m_em * 1.45;
    const int wantedY = std::clamp(static_cast<int>((height - top - bottom) / (m_em * 2.2)), 2, 8);
    if (m_state.unit == QLatin1String("%") && !m_state.options.logarithmic) {
        for (const Tick& tick : linearTicks(m_y.from * 100, m_y.to * 100, wantedY))
            m_yTicks.push_back({tick.at / 100, Words::tr("%1 %").arg(tick.label)});
    } else if (m_state.unit == QLatin1String("bytes")) {  // round in GiB or MiB, not in powers of ten
        const double unit = m_y.to >= 0.1 * 1073741824.0 ? 1073741824.0 : 1048576.0;
        for (Tick tick : linearTicks(m_y.from / unit, m_y.to / unit, wantedY))
            m_yTicks.push_back({tick.at * unit, tick.label + (unit > 2e6 ? Words::tr(" GiB") : Words::tr(" MiB"))});
    } else {
        m_yTicks =
            m_state.options.logarithmic ? logTicks(m_y.from, m_y.to, wantedY) : linearTicks(m_y.from, m_y.to, wantedY);
    }
    double left = m_em * 1.5;
    for (const Tick& tick : m_yTicks)
        left = std::max(left, metrics.horizontalAdvance(tick.label));
    // Rounded up to whole ems, so that the plot does not jump with each new label.
    left = std::ceil((left + m_em * 0.55) / m_em) * m_em;
    m_plot = QRectF(left, top, std::max(10.0, m_request.size.width() - left - m_em * 0.6),
                    std::max(10.0, height - top - bottom))
                 .toRect();
    const int wantedX = std::clamp(static_cast<int>(m_plot.width() / (m_em * 5)), 2, 10);
    m_xTicks = ticksFor(m_state.options.xAxis, m_x.from, m_x.to, wantedX);
}

void ChartFrame::layOutLegend() {
    const QFontMetricsF metrics(m_request.font);
    double x = m_em * 0.4;
    double y = m_request.withTitle ? m_em * 1.5 : 0;
    for (const auto& one : m_state.series) {
        if (!one->visible)
            continue;
        QString text = one->look.name;
        if (one->buffer.size() > 0)
            text = Words::tr("%1  %2").arg(text, valueText(m_state, one->buffer.values().at(one->buffer.size() - 1)));
        const double width = m_em * 1.7 + metrics.horizontalAdvance(text);
        if (x > m_em && x + width > m_request.size.width()) {
            x = m_em * 0.4;
            y += m_em * 1.1;
        }
        m_legend.push_back({one.get(), text, QRectF(x, y, width, m_em * 1.1)});
        x += width + m_em * 0.9;
    }
    const bool tooMany = y > m_request.size.height() * 0.3;
    if (tooMany)
        m_legend.clear();  // the tooltip names the lines
    m_legendHeight = m_legend.empty() ? (m_request.withTitle ? m_em * 1.5 : 0) : y + m_em * 1.3;
}

double ChartFrame::drawnValue(double value) const {
    return m_state.options.logarithmic ? (value > 0 ? std::log10(value) : NAN) : value;
}

QPointF ChartFrame::toPixels(const QPointF& value) const {
    return {m_plot.left() + (value.x() - m_x.from) / m_x.span() * m_plot.width(),
            m_plot.bottom() - (value.y() - m_y.from) / m_y.span() * m_plot.height()};
}

double ChartFrame::xAt(double pixel) const {
    return m_x.from + (pixel - m_plot.left()) / m_plot.width() * m_x.span();
}

double ChartFrame::yAt(double pixel) const {
    return m_y.from + (m_plot.bottom() - pixel) / m_plot.height() * m_y.span();
}

QColor ChartFrame::colorOf(const ChartSeries& series) const {
    const int index = series.look.color % kSeriesColors;
    return m_request.colors->series[static_cast<size_t>(index < 0 ? index + kSeriesColors : index)];
}

}  // namespace unmask::ui
