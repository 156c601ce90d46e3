// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/stacked_bar.h"

#include <QPainter>
#include <QPainterPath>

#include "ui/style/style.h"

namespace unmask::ui {

namespace {

constexpr double kBarEms = 1.1;
constexpr double kLegendGapEms = 0.4;

QBrush brushOf(const StackSegment& segment) {
    return segment.hatched ? QBrush(segment.color, Qt::BDiagPattern) : QBrush(segment.color);
}

}  // namespace

void paintStack(QPainter& painter, const QRectF& bar, const QVector<StackSegment>& segments, double whole) {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    QPainterPath round;
    round.addRoundedRect(bar, style.px(0.35), style.px(0.35));
    painter.fillPath(round, colors.raised);
    painter.save();
    painter.setClipPath(round, Qt::IntersectClip);
    painter.setFont(style.font(FontRole::caption));
    double x = bar.left();
    for (const StackSegment& segment : segments) {
        const QRectF box(x, bar.top(), whole > 0 ? bar.width() * segment.size / whole : 0, bar.height());
        painter.fillRect(box, brushOf(segment));
        const QFontMetrics metrics = painter.fontMetrics();
        const bool room = box.width() > metrics.horizontalAdvance(segment.letter) * 1.8;
        if (room && !segment.letter.isEmpty() && bar.height() >= metrics.height()) {
            const bool onDark = contrast(segment.color, Qt::white) >= contrast(segment.color, Qt::black);
            painter.setPen(onDark ? Qt::white : Qt::black);
            painter.drawText(box, Qt::AlignCenter, segment.letter);
        }
        x = box.right();
        painter.fillRect(QRectF(x - 0.5, bar.top(), 1, bar.height()), colors.surface);
    }
    painter.restore();
}

int paintStackLegend(QPainter* painter, int width, const QVector<StackSegment>& segments) {
    const Style& style = Style::instance();
    const QFont font = style.font(FontRole::caption);
    const QFontMetrics metrics(font);
    const double swatch = style.px(0.75);
    double x = 0;
    double y = 0;
    for (const StackSegment& segment : segments) {
        const QString text =
            segment.amount.isEmpty() ? segment.name : StackedBar::tr("%1 %2").arg(segment.name, segment.amount);
        const double needed = swatch + style.px(0.35) + metrics.horizontalAdvance(text);
        if (x > 0 && x + needed > width) {
            x = 0;
            y += metrics.height();
        }
        if (painter) {
            painter->setFont(font);
            painter->setPen(Qt::NoPen);
            painter->setBrush(brushOf(segment));
            painter->drawRoundedRect(QRectF(x, y + (metrics.height() - swatch) / 2, swatch, swatch), 2, 2);
            painter->setPen(style.colors().textMuted);
            painter->drawText(QPointF(x + swatch + style.px(0.35), y + metrics.ascent()), text);
        }
        x += needed + style.px(0.9);
    }
    return static_cast<int>(y) + metrics.height();
}

StackedBar::StackedBar(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Style::instance(), &Style::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void StackedBar::setSegments(const QString& name, const QVector<StackSegment>& segments) {
    m_segments = segments;
    m_segments.removeIf([](const StackSegment& segment) { return segment.size <= 0; });
    QStringList parts;
    for (const StackSegment& segment : std::as_const(m_segments))
        parts << tr("%1 %2").arg(segment.name, segment.amount);
    setAccessibleName(tr("%1: %2").arg(name, parts.join(QStringLiteral(", "))));
    setToolTip(accessibleName());
    updateGeometry();
    update();
}

QSize StackedBar::minimumSizeHint() const {
    return {Style::instance().px(8), heightForWidth(Style::instance().px(20))};
}

QSize StackedBar::sizeHint() const {
    return {Style::instance().px(20), heightForWidth(Style::instance().px(20))};
}

int StackedBar::heightForWidth(int width) const {
    return Style::instance().px(kBarEms) + Style::instance().px(kLegendGapEms) +
           paintStackLegend(nullptr, width, m_segments);
}

void StackedBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double whole = 0;
    for (const StackSegment& segment : std::as_const(m_segments))
        whole += segment.size;
    const double height = Style::instance().px(kBarEms);
    paintStack(painter, QRectF(0.5, 0.5, width() - 1, height - 1), m_segments, whole);
    painter.translate(0, height + Style::instance().px(kLegendGapEms));
    paintStackLegend(&painter, width(), m_segments);
}

}  // namespace unmask::ui
