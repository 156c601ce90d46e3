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

// Style sheets reach labels and their like only, so the roles that are used here are known by name.
QFont ElidedLabel::shownFont() const {
    const QVariant role = property("role");
    if (role == QVariant(QStringLiteral("caption")))
        return Style::instance().font(FontRole::caption);
    return role == QVariant(QStringLiteral("title")) ? Style::instance().font(FontRole::title) : font();
}

bool ElidedLabel::elided() const {
    return QFontMetrics(shownFont()).horizontalAdvance(m_text) > contentsRect().width();
}

QSize ElidedLabel::sizeHint() const {
    const QFontMetrics metrics(shownFont());
    return {metrics.horizontalAdvance(m_text) + 2, metrics.height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {Style::instance().px(2), QFontMetrics(shownFont()).height()};
}

void ElidedLabel::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    const bool caption = property("role") == QVariant(QStringLiteral("caption"));
    painter.setPen(caption ? Style::instance().colors().textMuted : palette().color(QPalette::WindowText));
    painter.setFont(shownFont());
    painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_text, m_mode, contentsRect().width()));
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    setToolTip(elided() ? m_text : QString());
}

}  // namespace unmask::ui
