// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/chip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

#include "ui/style/icons.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

QPainterPath polygon(int corners, double radius, double turn) {
    QPainterPath path;
    for (int i = 0; i < corners; ++i) {
        const double angle = turn + 2 * M_PI * i / corners;
        const QPointF point(radius * std::sin(angle), -radius * std::cos(angle));
        i == 0 ? path.moveTo(point) : path.lineTo(point);
    }
    path.closeSubpath();
    return path;
}

QPainterPath crossed(double radius, double turn) {
    QPainterPath path;
    for (int i = 0; i < 2; ++i) {
        const double angle = turn + M_PI / 2 * i;
        const QPointF end(radius * std::sin(angle), radius * std::cos(angle));
        path.moveTo(-end);
        path.lineTo(end);
    }
    return path;
}

}  // namespace

void paintLineMark(QPainter& painter, LineMark mark, const QPointF& center, double size, const QColor& color) {
    if (mark == LineMark::none)
        return;
    const double radius = size / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(center);
    const bool strokeOnly = mark == LineMark::cross || mark == LineMark::plus || mark == LineMark::star;
    painter.setPen(QPen(color, strokeOnly ? std::max(1.4, size * 0.2) : 1, Qt::SolidLine, Qt::RoundCap));
    painter.setBrush(strokeOnly ? QBrush(Qt::NoBrush) : QBrush(color));
    switch (mark) {
        case LineMark::circle:
            painter.drawEllipse(QPointF(), radius * 0.9, radius * 0.9);
            break;
        case LineMark::square:
            painter.drawPath(polygon(4, radius * 1.2, M_PI / 4));
            break;
        case LineMark::triangle:
            painter.drawPath(polygon(3, radius * 1.2, 0));
            break;
        case LineMark::triangleDown:
            painter.drawPath(polygon(3, radius * 1.2, M_PI));
            break;
        case LineMark::diamond:
            painter.drawPath(polygon(4, radius * 1.25, 0));
            break;
        case LineMark::cross:
            painter.drawPath(crossed(radius, M_PI / 4));
            break;
        case LineMark::plus:
            painter.drawPath(crossed(radius, 0));
            break;
        case LineMark::star:
            painter.drawPath(crossed(radius, 0));
            painter.drawPath(crossed(radius, M_PI / 4));
            break;
        case LineMark::none:
            break;
    }
    painter.restore();
}

Chip::Chip(const QString& text, QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setText(text);
    connect(&Style::instance(), &Style::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void Chip::setText(const QString& text) {
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void Chip::setLine(const QColor& color, LineMark mark) {
    m_color = color;
    m_mark = mark;
    updateGeometry();
    update();
}

void Chip::setStarred(bool starred) {
    m_starred = starred;
    setAccessibleDescription(starred ? tr("Baseline") : QString());
    updateGeometry();
    update();
}

void Chip::setClosable(bool closable) {
    m_closable = closable;
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const {
    const Style& style = Style::instance();
    const QFontMetrics metrics(style.font(FontRole::body));
    int width = metrics.horizontalAdvance(m_text) + style.px(1.4);
    if (m_color.isValid())
        width += style.px(2.1);
    if (m_starred)
        width += style.px(1.2);
    if (m_closable)
        width += style.px(1.3);
    return {width, metrics.height() + style.px(0.4)};
}

QRectF Chip::closeBox() const {
    const double side = Style::instance().px(1);
    return QRectF(width() - side - Style::instance().px(0.5), (height() - side) / 2, side, side);
}

void Chip::paintEvent(QPaintEvent*) {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.border, hasFocus() ? 1.6 : 1));
    painter.setBrush(underMouse() ? colors.raised : colors.surface);
    painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);
    double x = style.px(0.7);
    if (m_color.isValid()) {
        const double y = height() / 2.0;
        painter.setPen(QPen(m_color, 2.4, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(x, y), QPointF(x + style.px(1.5), y));
        paintLineMark(painter, m_mark, QPointF(x + style.px(0.75), y), style.px(0.62), m_color);
        x += style.px(2.1);
    }
    painter.setFont(style.font(FontRole::body));
    painter.setPen(colors.text);
    painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignVCenter, m_text);
    x += painter.fontMetrics().horizontalAdvance(m_text) + style.px(0.3);
    if (m_starred)
        paintIcon(painter, Icon::star, QRectF(x, (height() - style.px(0.9)) / 2.0, style.px(0.9), style.px(0.9)),
                  colors.warning);
    if (m_closable)
        paintIcon(painter, Icon::close, closeBox(), colors.textMuted);
}

void Chip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !rect().contains(event->pos()))
        return;
    if (m_closable && closeBox().adjusted(-3, -3, 3, 3).contains(event->position()))
        Q_EMIT closeRequested();
    else
        Q_EMIT clicked();
}

void Chip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return)
        Q_EMIT clicked();
    else if (event->key() == Qt::Key_Delete && m_closable)
        Q_EMIT closeRequested();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace unmask::ui
