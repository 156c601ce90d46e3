// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/memory_bar.h"

#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>

#include "ui/style/numbers.h"
#include "ui/style/style.h"

namespace unmask::ui {

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Style::instance(), &Style::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void MemoryBar::setParts(const MemoryParts& parts) {
    m_parts = parts;
    setAccessibleName(summary());
    updateGeometry();
    update();
}

void MemoryBar::setLegendVisible(bool visible) {
    m_legend = visible;
    updateGeometry();
    update();
}

QVector<MemoryBar::Segment> MemoryBar::segments() const {
    const auto& series = Style::instance().chartColors().series;
    QVector<Segment> all{
        {tr("weights"), tr("w", "letter of weights in the memory bar"), m_parts.weights, series[0], false},
        {tr("gradients"), tr("g", "letter of gradients in the memory bar"), m_parts.gradients, series[1], false},
        {tr("optimizer"), tr("o", "letter of optimizer in the memory bar"), m_parts.optimizer, series[2], false},
        {tr("activations"), tr("a", "letter of activations in the memory bar"), m_parts.activations, series[3], false},
        {tr("buffers"), tr("b", "letter of buffers in the memory bar"), m_parts.buffers, series[4], false},
        {tr("other programs"), QString(), m_parts.others, Style::instance().colors().outline, true}};
    all.removeIf([](const Segment& segment) { return segment.bytes <= 0; });
    return all;
}

QString MemoryBar::summary() const {
    QStringList parts;
    for (const Segment& segment : segments())
        parts << tr("%1 %2").arg(segment.name, numbers::memory(segment.bytes));
    const QString list = parts.join(QStringLiteral(", "));
    if (m_parts.capacity <= 0)
        return tr("%1 needed: %2").arg(numbers::memory(m_parts.needed()), list);
    const QString whole =
        tr("%1 of %2 needed: %3").arg(numbers::memory(m_parts.needed()), numbers::memory(m_parts.capacity), list);
    return m_parts.fits() ? whole : tr("Does not fit. %1").arg(whole);
}

QRectF MemoryBar::barBox() const {
    const Style& style = Style::instance();
    return QRectF(0.5, 0.5, width() - 1, style.px(1.35) - 1);
}

QSize MemoryBar::minimumSizeHint() const {
    return {Style::instance().px(8), heightForWidth(Style::instance().px(20))};
}

QSize MemoryBar::sizeHint() const {
    return {Style::instance().px(20), heightForWidth(Style::instance().px(20))};
}

int MemoryBar::heightForWidth(int width) const {
    const int bar = Style::instance().px(1.35);
    return m_legend ? bar + Style::instance().px(0.4) + paintLegend(nullptr, width) : bar;
}

void MemoryBar::paintEvent(QPaintEvent*) {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar = barBox();
    const double used = m_parts.needed() + m_parts.others;
    const double whole = std::max(m_parts.capacity, used);

    QPainterPath round;
    round.addRoundedRect(bar, style.px(0.35), style.px(0.35));
    painter.fillPath(round, colors.raised);
    painter.save();
    painter.setClipPath(round);
    painter.setFont(style.font(FontRole::caption));
    double x = bar.left();
    for (const Segment& segment : segments()) {
        const QRectF box(x, bar.top(), whole > 0 ? bar.width() * segment.bytes / whole : 0, bar.height());
        painter.fillRect(box, segment.hatched ? QBrush(segment.color, Qt::BDiagPattern) : QBrush(segment.color));
        const double letterWidth = painter.fontMetrics().horizontalAdvance(segment.letter);
        if (box.width() > letterWidth * 1.8) {
            const bool onDark = contrast(segment.color, Qt::white) >= contrast(segment.color, Qt::black);
            painter.setPen(onDark ? Qt::white : Qt::black);
            painter.drawText(box, Qt::AlignCenter, segment.letter);
        }
        x = box.right();
        painter.fillRect(QRectF(x - 0.5, bar.top(), 1, bar.height()), colors.surface);
    }
    painter.restore();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_parts.fits() ? colors.border : colors.danger, m_parts.fits() ? 1 : 2));
    painter.drawPath(round);
    if (!m_parts.fits()) {
        const double end = bar.left() + bar.width() * m_parts.capacity / whole;
        painter.setPen(QPen(colors.danger, 2));
        painter.drawLine(QPointF(end, bar.top() - 1), QPointF(end, bar.bottom() + 1));
    }
    if (m_legend) {
        painter.translate(0, style.px(1.35) + style.px(0.4));
        paintLegend(&painter, width());
    }
}

int MemoryBar::paintLegend(QPainter* painter, int width) const {
    const Style& style = Style::instance();
    const QFont font = style.font(FontRole::caption);
    const QFontMetrics metrics(font);
    const double swatch = style.px(0.75);
    double x = 0;
    double y = 0;
    const auto entry = [&](const QBrush& brush, const QString& text) {
        const double needed = swatch + style.px(0.35) + metrics.horizontalAdvance(text);
        if (x > 0 && x + needed > width) {
            x = 0;
            y += metrics.height();
        }
        if (painter) {
            painter->setFont(font);
            painter->setPen(Qt::NoPen);
            painter->setBrush(brush);
            painter->drawRoundedRect(QRectF(x, y + (metrics.height() - swatch) / 2, swatch, swatch), 2, 2);
            painter->setPen(style.colors().textMuted);
            painter->drawText(QPointF(x + swatch + style.px(0.35), y + metrics.ascent()), text);
        }
        x += needed + style.px(0.9);
    };
    for (const Segment& segment : segments())
        entry(segment.hatched ? QBrush(segment.color, Qt::BDiagPattern) : QBrush(segment.color),
              tr("%1 %2").arg(segment.name, numbers::memory(segment.bytes)));
    if (m_parts.capacity > 0) {
        const double free = m_parts.capacity - m_parts.needed() - m_parts.others;
        entry(style.colors().border,
              free >= 0 ? tr("free %1").arg(numbers::memory(free)) : tr("%1 too much").arg(numbers::memory(-free)));
    }
    return static_cast<int>(y) + metrics.height();
}

void MemoryBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        setParts(m_parts);
    QWidget::changeEvent(event);
}

bool MemoryBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), summary(), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace unmask::ui
