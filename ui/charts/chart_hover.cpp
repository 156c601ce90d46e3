// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_hover.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/numbers.h"

namespace unmask::ui {
namespace {

constexpr size_t kMostRows = 12;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Chart)
};

struct TooltipRow {
    const ChartSeries* series = nullptr;  // null: a line of text
    QString name;
    QString value;
    QString extra;
};

QString headerOf(const Reading& reading) {
    const SeriesBuffer& buffer = reading.series->buffer;
    const auto at = [&](XAxis axis) { return buffer.axis(axis).at(reading.index); };
    return Words::tr("step %1 · %2 tokens · %3 · %4")
        .arg(numbers::exact(at(XAxis::step)), numbers::count(at(XAxis::tokens)),
             numbers::preciseDuration(at(XAxis::activeTime)), numbers::timeOfDay(at(XAxis::wallClock)));
}

std::vector<TooltipRow> rowsOf(const ChartState& state, const ChartFrame& frame, double x,
                               const std::vector<Reading>& readings, bool details) {
    std::vector<TooltipRow> rows;
    const double half = frame.xRange().span() / std::max(1.0, frame.plot().width()) / 2;
    for (const Reading& reading : readings) {
        if (rows.size() >= kMostRows) {
            rows.push_back(
                {nullptr, Words::tr("%n more", nullptr, static_cast<int>(readings.size() - kMostRows)), {}, {}});
            break;
        }
        TooltipRow row{reading.series, reading.series->look.name, valueText(state, reading.shown), {}};
        if (state.smooths(*reading.series))
            row.extra = Words::tr("raw %1").arg(valueText(state, reading.raw));
        rows.push_back(row);
        if (!details)
            continue;
        const ColumnStats stats = statsBetween(reading.series->buffer.axis(state.options.xAxis),
                                               reading.series->buffer.values(), x - half, x + half);
        rows.push_back(
            {nullptr, Words::tr("%Ln point(s) here", nullptr, static_cast<int>(stats.count + stats.bad)),
             stats.count > 0 ? Words::tr("%1 to %2").arg(valueText(state, stats.min), valueText(state, stats.max))
                             : QString(),
             stats.bad > 0 ? Words::tr("%Ln not a number", nullptr, static_cast<int>(stats.bad)) : QString()});
    }
    return rows;
}

void paintTooltip(QPainter& painter, const ChartFrame& frame, double lineX, const QString& header,
                  const std::vector<TooltipRow>& rows, const HoverLook& look) {
    const QFontMetricsF metrics(look.font);
    const double em = frame.em();
    double nameWidth = 0;
    double valueWidth = 0;
    double extraWidth = 0;
    for (const TooltipRow& row : rows) {
        nameWidth = std::max(nameWidth, metrics.horizontalAdvance(row.name));
        valueWidth = std::max(valueWidth, metrics.horizontalAdvance(row.value));
        extraWidth = std::max(extraWidth, metrics.horizontalAdvance(row.extra));
    }
    const double table = em * 1.2 + nameWidth + em * 0.8 + valueWidth + (extraWidth > 0 ? em * 0.8 + extraWidth : 0);
    const QSizeF size(std::max(table, metrics.horizontalAdvance(header)) + em,
                      (static_cast<double>(rows.size()) + 1) * em * 1.08 + em * 0.7);
    double left = lineX + em * 0.7;
    if (left + size.width() > frame.plot().right())
        left = std::max(2.0, lineX - em * 0.7 - size.width());
    const QRectF box(QPointF(left, frame.plot().top() + em * 0.2), size);
    painter.setPen(QPen(look.colors->outline, 1));
    QColor back = look.colors->surface;
    back.setAlphaF(0.95F);
    painter.setBrush(back);
    painter.drawRoundedRect(box, em * 0.3, em * 0.3);
    double y = box.top() + em * 0.35;
    const auto write = [&](double x, const QString& text, const QColor& color, Qt::Alignment align, double width) {
        painter.setPen(color);
        painter.drawText(QRectF(x, y, width, em * 1.08), align | Qt::AlignVCenter, text);
    };
    write(box.left() + em * 0.5, header, look.colors->textMuted, Qt::AlignLeft, size.width());
    for (const TooltipRow& row : rows) {
        y += em * 1.08;
        double x = box.left() + em * 0.5;
        if (row.series) {
            const QPointF center(x + em * 0.4, y + em * 0.54);
            const LineMark mark = row.series->look.mark == LineMark::none ? LineMark::circle : row.series->look.mark;
            paintLineMark(painter, mark, center, em * 0.6, frame.colorOf(*row.series));
        }
        x += em * 1.2;
        write(x, row.name, row.series ? look.colors->text : look.colors->textMuted, Qt::AlignLeft, nameWidth + em);
        write(x + nameWidth + em * 0.8, row.value, look.colors->text, Qt::AlignRight, valueWidth + 1);
        write(x + nameWidth + em * 1.6 + valueWidth, row.extra, look.colors->textMuted, Qt::AlignLeft, extraWidth + em);
    }
}

}  // namespace

std::vector<Reading> readingsAt(const ChartState& state, const ChartFrame& frame, double x, double cursorY) {
    std::vector<Reading> readings;
    for (const auto& one : state.series) {
        if (!one->visible)
            continue;
        const auto index = one->buffer.nearest(state.options.xAxis, x);
        if (!index)
            continue;
        Reading reading{one.get(), *index, one->buffer.values().at(*index), state.shownValues(*one).at(*index), {}};
        const double y =
            state.options.logarithmic ? (reading.shown > 0 ? std::log10(reading.shown) : NAN) : reading.shown;
        reading.pixel = frame.toPixels({one->buffer.axis(state.options.xAxis).at(*index), y});
        readings.push_back(reading);
    }
    const auto by = [&](auto key) {
        std::stable_sort(readings.begin(), readings.end(), [&](const Reading& a, const Reading& b) {
            const double left = key(a);
            const double right = key(b);
            return std::isnan(right) ? !std::isnan(left) : left < right;  // not-a-number comes last
        });
    };
    switch (state.options.tooltipOrder) {
        case TooltipOrder::ascending:
            by([](const Reading& r) { return r.shown; });
            break;
        case TooltipOrder::descending:
            by([](const Reading& r) { return -r.shown; });
            break;
        case TooltipOrder::nearest:
            by([&](const Reading& r) { return std::abs(r.pixel.y() - cursorY); });
            break;
        case TooltipOrder::added:
            break;
    }
    return readings;
}

void paintHover(QPainter& painter, const ChartState& state, const ChartFrame& frame, double x,
                const std::vector<Reading>& readings, const HoverLook& look) {
    const double lineX = frame.toPixels({x, 0}).x();
    if (!(lineX >= frame.plot().left() - 0.5 && lineX <= frame.plot().right() + 0.5))
        return;
    painter.save();
    painter.setFont(look.font);
    painter.setPen(QPen(look.chart->cursor, 1));
    painter.drawLine(QPointF(std::round(lineX), frame.plot().top()), QPointF(std::round(lineX), frame.plot().bottom()));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Reading& reading : readings) {
        if (!std::isfinite(reading.pixel.y()) || !frame.plot().adjusted(-1, -1, 1, 1).contains(reading.pixel))
            continue;
        painter.setPen(QPen(look.chart->background, 1.5));
        painter.setBrush(frame.colorOf(*reading.series));
        painter.drawEllipse(reading.pixel, 4, 4);
    }
    if (look.tooltip && !readings.empty()) {
        const Reading* nearest = &readings.front();
        for (const Reading& reading : readings)
            if (std::abs(reading.pixel.x() - lineX) < std::abs(nearest->pixel.x() - lineX))
                nearest = &reading;
        paintTooltip(painter, frame, lineX, headerOf(*nearest), rowsOf(state, frame, x, readings, look.details), look);
    } else if (readings.size() == 1) {
        const QString text = valueText(state, readings.front().shown);
        const double width = QFontMetricsF(look.font).horizontalAdvance(text);
        const bool right = lineX + width + frame.em() < frame.plot().right();
        const double left = right ? lineX + frame.em() * 0.2 : lineX - width - frame.em() * 0.6;
        const QRectF box(left, frame.plot().top(), width + frame.em() * 0.4, frame.em() * 1.15);
        painter.fillRect(box, look.chart->background);
        painter.setPen(look.chart->text);
        painter.drawText(box, Qt::AlignCenter, text);
    }
    painter.restore();
}

QString readingText(const ChartState& state, const std::vector<Reading>& readings) {
    QStringList parts;
    for (const Reading& reading : readings)
        parts << Words::tr("%1 %2").arg(reading.series->look.name, valueText(state, reading.shown));
    if (!readings.empty())
        parts.prepend(headerOf(readings.front()));
    return parts.join(QStringLiteral(", "));
}

}  // namespace unmask::ui
