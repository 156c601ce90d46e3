// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/memory_bar.h"

#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

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

QVector<StackSegment> memorySegments(const MemoryParts& parts) {
    const auto& series = Style::instance().chartColors().series;
    QVector<StackSegment> all;
    const auto add = [&all](const QString& name, const QString& letter, double bytes, const QColor& color,
                            bool hatched = false) {
        if (bytes > 0)
            all.append({name, letter, numbers::memory(bytes), bytes, color, hatched});
    };
    add(MemoryBar::tr("weights"), MemoryBar::tr("w", "letter of weights in the memory bar"), parts.weights, series[0]);
    add(MemoryBar::tr("gradients"), MemoryBar::tr("g", "letter of gradients in the memory bar"), parts.gradients,
        series[1]);
    add(MemoryBar::tr("optimizer"), MemoryBar::tr("o", "letter of optimizer in the memory bar"), parts.optimizer,
        series[2]);
    add(MemoryBar::tr("activations"), MemoryBar::tr("a", "letter of activations in the memory bar"), parts.activations,
        series[3]);
    add(MemoryBar::tr("buffers"), MemoryBar::tr("b", "letter of buffers in the memory bar"), parts.buffers, series[4]);
    add(MemoryBar::tr("communication"), MemoryBar::tr("c", "letter of communication in the memory bar"),
        parts.communication, series[5]);
    add(MemoryBar::tr("other programs"), QString(), parts.others, Style::instance().colors().outline, true);
    return all;
}

void paintMemory(QPainter& painter, const QRectF& bar, const MemoryParts& parts) {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    const double whole = std::max(parts.capacity, parts.needed() + parts.others);
    paintStack(painter, bar, memorySegments(parts), whole);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(parts.fits() ? colors.border : colors.danger, parts.fits() ? 1 : 2));
    painter.drawRoundedRect(bar, style.px(0.35), style.px(0.35));
    if (!parts.fits()) {
        const double end = bar.left() + bar.width() * parts.capacity / whole;
        painter.setPen(QPen(colors.danger, 2));
        painter.drawLine(QPointF(end, bar.top() - 1), QPointF(end, bar.bottom() + 1));
    }
}

QString MemoryBar::summary() const {
    QStringList parts;
    for (const StackSegment& segment : memorySegments(m_parts))
        parts << tr("%1 %2").arg(segment.name, segment.amount);
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
    return m_legend ? bar + Style::instance().px(0.4) + paintStackLegend(nullptr, width, legend()) : bar;
}

void MemoryBar::paintEvent(QPaintEvent*) {
    const Style& style = Style::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMemory(painter, barBox(), m_parts);
    if (m_legend) {
        painter.translate(0, style.px(1.35) + style.px(0.4));
        paintStackLegend(&painter, width(), legend());
    }
}

QVector<StackSegment> MemoryBar::legend() const {
    QVector<StackSegment> entries = memorySegments(m_parts);
    if (m_parts.capacity <= 0)
        return entries;
    const double free = m_parts.capacity - m_parts.needed() - m_parts.others;
    const QString words =
        free >= 0 ? tr("free %1").arg(numbers::memory(free)) : tr("%1 too much").arg(numbers::memory(-free));
    entries.append({words, {}, {}, std::abs(free), Style::instance().colors().border});
    return entries;
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
