// SPDX-License-Identifier: Apache-2.0
// The painting half of ChartFrame. Lines go through Qt Charts; grid, labels and marks are a few hundred strokes at
// most.
#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_frame.h"
#include "ui/charts/dense_line.h"
#include "ui/style/numbers.h"

namespace unmask::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Chart)
};

constexpr double kDense = 8;       // pixels up and down for one to the right
constexpr double kFarOutside = 8;  // heights of the plot; beyond it a coordinate only needs its direction

QPainterPath triangle(const QPointF& tip, double side, bool upwards) {
    const double height = side * 0.87 * (upwards ? 1 : -1);
    QPainterPath path(tip);
    path.lineTo(tip + QPointF(side / 2, height));
    path.lineTo(tip + QPointF(-side / 2, height));
    path.closeSubpath();
    return path;
}

}  // namespace

void ChartFrame::paint(QPainter& painter, PlotScene& scene) const {
    painter.fillRect(QRectF(QPointF(), QSizeF(m_request.size)), m_request.colors->background);
    painter.setFont(m_request.font);
    paintBands(painter);
    paintGrid(painter);
    paintJoints(painter);
    paintLines(painter, scene);
    paintDots(painter);
    paintLineMarks(painter);
    paintBadMarks(painter);
    paintBandLabels(painter);
    paintLabels(painter);
    paintLegend(painter);
    paintArrows(painter);
    paintNotice(painter);
}

QRectF ChartFrame::bandOf(const EvidenceWindow& window) const {
    const double left = toPixels({m_state.xOfStep(window.fromStep), 0}).x();
    const double right = toPixels({m_state.xOfStep(window.toStep), 0}).x();
    if (!std::isfinite(left) || !std::isfinite(right))
        return {};
    return QRectF(QPointF(left, m_plot.top()), QPointF(std::max(right, left + 2), m_plot.bottom())).intersected(m_plot);
}

void ChartFrame::paintBands(QPainter& painter) const {
    for (const EvidenceWindow& window : m_state.evidence)
        painter.fillRect(bandOf(window), m_request.colors->band);
}

// Over the lines, so that they can be read.
void ChartFrame::paintBandLabels(QPainter& painter) const {
    for (const EvidenceWindow& window : m_state.evidence) {
        const QRectF band = bandOf(window);
        const double width = painter.fontMetrics().horizontalAdvance(window.label) + m_em * 0.6;
        const double start = std::clamp(band.left(), m_plot.left(), std::max(m_plot.left(), m_plot.right() - width));
        if (!band.isEmpty() && !window.label.isEmpty())
            paintNote(painter, QRectF(start, m_plot.bottom() - m_em * 1.2, width, m_em * 1.15), window.label,
                      m_request.colors->band);
    }
}

void ChartFrame::paintNote(QPainter& painter, const QRectF& box, const QString& text, const QColor& ground) const {
    painter.fillRect(box, ground);
    painter.setPen(m_request.colors->text);
    painter.drawText(box, Qt::AlignCenter, text);
}

void ChartFrame::paintGrid(QPainter& painter) const {
    if (m_empty)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_request.colors->grid, 1));
    QList<QLineF> lines;
    for (const Tick& tick : m_yTicks) {
        const double y = std::round(toPixels({0, tick.at}).y());
        lines.append(QLineF(m_plot.left(), y, m_plot.right(), y));
    }
    for (const Tick& tick : m_xTicks) {
        const double x = std::round(toPixels({tick.at, 0}).x());
        lines.append(QLineF(x, m_plot.top(), x, m_plot.bottom()));
    }
    painter.drawLines(lines);
    painter.setPen(QPen(m_request.colors->axis, 1));
    painter.drawLine(m_plot.bottomLeft(), m_plot.bottomRight());
}

void ChartFrame::paintLabels(QPainter& painter) const {
    if (m_empty)
        return;
    painter.setPen(m_request.colors->text);
    const QFontMetricsF metrics(m_request.font);
    for (const Tick& tick : m_yTicks) {
        const double y = toPixels({0, tick.at}).y();
        if (!tick.label.isEmpty() && y > m_plot.top() - 1 && y < m_plot.bottom() + 1)
            painter.drawText(QRectF(0, y - m_em, m_plot.left() - m_em * 0.4, 2 * m_em),
                             Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    double free = -m_em * 10;
    for (const Tick& tick : m_xTicks) {
        const double x = toPixels({tick.at, 0}).x();
        const double width = metrics.horizontalAdvance(tick.label);
        const double left = std::clamp(x - width / 2, 0.0, std::max(0.0, m_request.size.width() - width));
        if (left < free || x < m_plot.left() - 1 || x > m_plot.right() + 1)
            continue;
        painter.drawText(QPointF(left, m_plot.bottom() + m_em * 0.25 + metrics.ascent()), tick.label);
        free = left + width + m_em * 0.6;
    }
}

void ChartFrame::paintJoints(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_request.colors->joint, 1, Qt::DotLine));
    for (const auto& one : m_state.series) {
        if (!one->visible)
            continue;
        for (const size_t joint : one->buffer.joints()) {
            if (joint == 0 || joint > one->buffer.size())
                continue;
            const double x = std::round(toPixels({one->buffer.axis(m_state.options.xAxis).at(joint - 1), 0}).x());
            if (x >= m_plot.left() && x <= m_plot.right())
                painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
        }
    }
}

void ChartFrame::paintLines(QPainter& painter, PlotScene& scene) const {
    QList<PlotLine> lines;
    const double xScale = m_plot.width() / m_x.span();
    const double yScale = m_plot.height() / m_y.span();
    const double far = m_plot.height() * kFarOutside;
    for (const Line& line : m_lines) {
        PlotLine drawn;
        drawn.points.reserve(line.data->line.size());
        double travel = 0;
        double before = NAN;
        for (const QPointF& point : line.data->line) {
            const double exact = (m_y.to - point.y()) * yScale;
            const double y = std::isnan(exact) ? exact : std::clamp(exact, -far, far);  // NaN stays NaN
            drawn.points.append(QPointF((point.x() - m_x.from) * xScale, y));
            if (const double moved = std::abs(y - before); std::isfinite(moved))
                travel += moved;
            before = y;
        }
        drawn.color = colorOf(*line.series);
        if (line.faint)
            drawn.color = mix(m_request.colors->background, drawn.color, 0.32);
        // A line that only goes up and down fills its pixels anyway; width 1 needs no stroker and is several times as
        // fast.
        const bool dense = travel > kDense * m_plot.width();
        drawn.width = m_request.draft || line.faint || dense ? 1 : line.thin ? 1.5 : 2;
        drawn.crisp = line.faint && dense;
        if (dense)
            drawn.points = columnEnvelope(drawn.points, m_request.devicePixelRatio / m_request.columnsDivisor);
        lines.append(drawn);
    }
    scene.paint(painter, m_plot, lines, !m_request.draft);
}

// Few points stand as dots on their line; lone ones would otherwise not be seen at all.
void ChartFrame::paintDots(QPainter& painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(m_plot.adjusted(-4, -4, 4, 4));
    painter.setPen(Qt::NoPen);
    for (const Line& line : m_lines) {
        const bool sparse = !line.faint && static_cast<double>(line.data->points) * m_em * 0.9 < m_plot.width();
        painter.setBrush(colorOf(*line.series));
        for (const QPointF& point : sparse ? line.data->line : line.data->lonePoints)
            if (std::isfinite(point.y()) && point.x() >= m_x.from && point.x() <= m_x.to)
                painter.drawEllipse(toPixels(point), sparse ? 2.6 : 2, sparse ? 2.6 : 2);
    }
    painter.restore();
}

void ChartFrame::paintLineMarks(QPainter& painter) const {
    const double pitch = m_em * 6;
    painter.save();
    painter.setClipRect(m_plot.adjusted(-4, -4, 4, 4));
    double offset = 0;
    for (const Line& line : m_lines) {
        if (line.faint || line.series->look.mark == LineMark::none)
            continue;
        double next = m_plot.left() + offset + m_em;
        offset += m_em * 1.3;
        for (const QPointF& point : line.data->line) {
            const QPointF pixel = toPixels(point);
            if (pixel.x() < next || !std::isfinite(pixel.y()))
                continue;
            paintLineMark(painter, line.series->look.mark, pixel, m_em * 0.62, colorOf(*line.series));
            next = pixel.x() + pitch;
        }
    }
    painter.restore();
}

void ChartFrame::paintBadMarks(QPainter& painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = m_em * 0.75;
    double busyUntil = -side;
    for (const Line& line : m_lines) {
        if (m_state.smooths(*line.series) == line.faint && m_state.options.showRaw && m_state.smooths(*line.series))
            continue;  // raw and smoothed lines have the same bad points
        for (const BadMark& mark : line.data->marks) {
            const double x = toPixels({mark.x, 0}).x();
            if (x < busyUntil && x > busyUntil - side)
                continue;
            busyUntil = x + side * 0.5;
            double y = std::isfinite(mark.y) ? toPixels({0, mark.y}).y() : m_plot.center().y();
            y = std::clamp(y, m_plot.top() + side, m_plot.bottom() - side);
            painter.setPen(QPen(m_request.colors->background, 1));
            painter.setBrush(m_request.colors->bad);
            if (mark.minusInfinity && !mark.nan)
                painter.drawPath(triangle({x, y + side / 2}, side, false));
            else if (mark.notPositive && !mark.nan && !mark.plusInfinity)
                painter.drawPath(triangle({x, m_plot.bottom()}, side, false));
            else
                painter.drawPath(triangle({x, y - side / 2}, side, true));
        }
    }
    painter.restore();
}

// Where lines leave the view, with the count of hidden points: nothing hides.
void ChartFrame::paintArrows(QPainter& painter) const {
    if (m_outside.above == 0 && m_outside.below == 0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = m_em * 0.5;
    double lastAbove = -100;
    double lastBelow = -100;
    for (const Line& line : m_lines) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mix(m_request.colors->background, colorOf(*line.series), line.faint ? 0.6 : 1));
        for (const QPointF& point : line.data->line) {
            if (!(point.y() > m_y.to || point.y() < m_y.from) || point.x() < m_x.from || point.x() > m_x.to)
                continue;
            const double x = toPixels(point).x();
            const bool above = point.y() > m_y.to;
            double& last = above ? lastAbove : lastBelow;
            if (std::abs(x - last) < side * 2)
                continue;
            last = x;
            painter.drawPath(above ? triangle({x, m_plot.top() + 1}, side, true)
                                   : triangle({x, m_plot.bottom() - 1}, side, false));
        }
    }
    const QString above = numbers::exact(static_cast<double>(m_outside.above));
    const QString below = numbers::exact(static_cast<double>(m_outside.below));
    const QString text = m_outside.below == 0   ? Words::tr("hidden: %1 above").arg(above)
                         : m_outside.above == 0 ? Words::tr("hidden: %1 below").arg(below)
                                                : Words::tr("hidden: %1 above, %2 below").arg(above, below);
    const double width = painter.fontMetrics().horizontalAdvance(text) + m_em * 0.6;
    QRectF box(m_plot.right() - width, m_plot.top() - m_em * 1.25, width, m_em * 1.15);
    const auto covers = [&box](const LegendEntry& entry) { return entry.box.intersects(box); };
    if (m_legend.empty() || std::any_of(m_legend.begin(), m_legend.end(), covers))
        box.moveTop(m_plot.top() + m_em * 0.6);  // no room beside the legend
    paintNote(painter, box, text, m_request.colors->background);
    painter.restore();
}

void ChartFrame::paintLegend(QPainter& painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_request.withTitle) {
        QFont bold = m_request.font;
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
        painter.setPen(m_request.colors->cursor);
        painter.drawText(QPointF(m_em * 0.4, m_em), m_state.title);
        painter.setFont(m_request.font);
    }
    for (const LegendEntry& entry : m_legend) {
        const double y = entry.box.center().y();
        painter.setPen(QPen(colorOf(*entry.series), 2.4, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(entry.box.left(), y), QPointF(entry.box.left() + m_em * 1.1, y));
        paintLineMark(painter, entry.series->look.mark, {entry.box.left() + m_em * 0.55, y}, m_em * 0.6,
                      colorOf(*entry.series));
        painter.setPen(m_request.colors->text);
        painter.drawText(entry.box.adjusted(m_em * 1.5, 0, m_em, 0), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
    }
    painter.restore();
}

void ChartFrame::paintNotice(QPainter& painter) const {
    painter.setPen(m_request.colors->text);
    if (m_empty)
        painter.drawText(m_plot, Qt::AlignCenter, Words::tr("No data yet"));
    else if (m_request.columnsDivisor > 1)
        painter.drawText(m_plot.adjusted(m_em * 0.3, 0, 0, -m_em * 0.3), Qt::AlignBottom | Qt::AlignLeft,
                         Words::tr("drawn coarser: many points"));
}

}  // namespace unmask::ui
