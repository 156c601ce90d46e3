// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/elided_label.h"

#include <QPainter>

#include "ui/style/style.h"

namespace unmask::ui {

ElidedLabel::ElidedLabel(QWidget* parent) : QFrame(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Style::instance(), &Style::changed, this, [this] { updateGeometry(); });
}

void ElidedLabel::setText(const QString& text) {
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);
    setToolTip(elided() ? m_text : QString());
    updateGeometry();
    update();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
    m_mode = mode;
    update();
}

bool ElidedLabel::elided() const {
    return fontMetrics().horizontalAdvance(m_text) > contentsRect().width();
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {Style::instance().px(2), fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    // Style sheets reach labels and their like only, so the one role that is used here is painted by hand.
    const bool caption = property("role") == QVariant(QStringLiteral("caption"));
    painter.setPen(caption ? Style::instance().colors().textMuted : palette().color(QPalette::WindowText));
    if (caption)
        painter.setFont(Style::instance().font(FontRole::caption));
    painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_text, m_mode, contentsRect().width()));
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    setToolTip(elided() ? m_text : QString());
}

}  // namespace unmask::ui
