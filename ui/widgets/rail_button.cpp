// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/rail_button.h"

#include <QFocusEvent>
#include <QPainter>

#include "ui/style/style.h"

namespace unmask::ui {

RailButton::RailButton(std::optional<Icon> icon, QWidget* parent) : QAbstractButton(parent), m_icon(icon) {
    setCheckable(true);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Style::instance(), &Style::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void RailButton::setMark(RailMark mark, int count) {
    m_mark = mark;
    m_count = count;
    describe();
    update();
}

void RailButton::setShortcutText(const QString& keys) {
    m_keys = keys;
    describe();
}

void RailButton::setCompact(bool compact) {
    m_compact = compact;
    updateGeometry();
    update();
}

void RailButton::describe() {
    QString name = text();
    switch (m_mark) {
        case RailMark::ok:
            name = tr("%1, complete").arg(text());
            break;
        case RailMark::warning:
            name = tr("%1, %n warning(s)", nullptr, m_count).arg(text());
            break;
        case RailMark::error:
            name = tr("%1, %n error(s)", nullptr, m_count).arg(text());
            break;
        case RailMark::none:
            break;
    }
    setAccessibleName(name);
    setToolTip(m_keys.isEmpty() ? text() : tr("%1 (%2)").arg(text(), m_keys));
    updateGeometry();
}

QSize RailButton::sizeHint() const {
    const Style& style = Style::instance();
    const QFontMetrics metrics(style.font(FontRole::body));
    const int height = std::max(metrics.height(), style.px(1.4)) + style.px(1.0);
    if (m_compact)
        return {height, height};
    const double mark = m_mark == RailMark::none ? 0.4 : m_count > 1 ? 2.6 : 1.9;
    return {metrics.horizontalAdvance(text()) + style.px((m_icon ? 3.6 : 1.8) + mark), height};
}

void RailButton::paintEvent(QPaintEvent*) {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    const bool ring = hasFocus() && m_keyboardFocus;
    if (isChecked() || (underMouse() && isEnabled()) || ring) {
        painter.setBrush(isChecked() ? colors.accentSoft : underMouse() ? colors.raised : QColor(Qt::transparent));
        painter.setPen(ring ? QPen(colors.accent, 1.5) : QPen(Qt::NoPen));
        painter.drawRoundedRect(frame, style.px(0.45), style.px(0.45));
    }
    if (isChecked()) {  // a bar at the left, so that the choice does not rest on colour
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.accent);
        const double inset = height() * 0.25;
        painter.drawRoundedRect(QRectF(1, inset, style.px(0.22), height() - 2 * inset), 1.5, 1.5);
    }
    const QColor ink = !isEnabled() ? colors.outline : isChecked() ? colors.accent : colors.text;
    double x = style.px(0.7);
    if (m_icon) {
        const double side = style.px(1.4);
        const double left = m_compact ? (width() - side) / 2 : x;
        paintIcon(painter, *m_icon, QRectF(left, (height() - side) / 2, side, side), ink);
        x += side + style.px(0.6);
    }
    if (!m_compact) {
        QFont font = style.font(FontRole::body);
        if (isChecked())
            font.setWeight(QFont::DemiBold);
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, text());
    }
    if (m_mark != RailMark::none) {
        const double side = style.px(m_compact ? 0.8 : 1.1);
        const QRectF beside(width() - side - style.px(0.5), (height() - side) / 2, side, side);
        paintMark(painter, m_compact ? QRectF(width() - side - 2, 2, side, side) : beside);
    }
}

// The ring is for those who came by keyboard; a click or a fresh window does not need it.
void RailButton::focusInEvent(QFocusEvent* event) {
    m_keyboardFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                      event->reason() == Qt::OtherFocusReason || event->reason() == Qt::ShortcutFocusReason;
    QAbstractButton::focusInEvent(event);
}

void RailButton::paintMark(QPainter& painter, const QRectF& box) const {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    if (m_mark == RailMark::ok) {
        paintIcon(painter, Icon::check, box, colors.success);
        return;
    }
    const bool error = m_mark == RailMark::error;
    const QColor color = error ? colors.danger : colors.warning;
    QRectF count = box;
    if (m_count > 1 && !m_compact) {
        painter.setFont(style.font(FontRole::caption));
        painter.setPen(color);
        const QString text = QString::number(m_count);
        const double width = painter.fontMetrics().horizontalAdvance(text);
        painter.drawText(QRectF(box.right() - width, 0, width + 1, height()), Qt::AlignVCenter, text);
        count.moveRight(box.right() - width - style.px(0.15));
    }
    paintIcon(painter, error ? Icon::error : Icon::warning, count, color);
}

}  // namespace unmask::ui
