// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/architecture_card.h"

#include <QPainter>
#include <QPainterPath>
#include <cmath>

#include "ui/style/icons.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

constexpr int kMostBars = 24;
constexpr double kWidestModel = 1024;

}  // namespace

ArchitectureCard::ArchitectureCard(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setAutoExclusive(true);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::MinimumExpanding, QSizePolicy::Minimum);
    connect(&Style::instance(), &Style::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void ArchitectureCard::setFacts(const ArchitectureFacts& facts) {
    m_facts = facts;
    setText(facts.name);
    QStringList parts{facts.name};
    for (const QString& part : {facts.shape, facts.parameters, facts.note})
        if (!part.isEmpty())
            parts << part;
    setAccessibleName(parts.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize ArchitectureCard::sizeHint() const {
    const Style& style = Style::instance();
    const QFontMetrics heading(style.font(FontRole::heading));
    const QFontMetrics caption(style.font(FontRole::caption));
    int text = heading.horizontalAdvance(m_facts.name) + style.px(2);
    for (const QString& line : {m_facts.shape, m_facts.parameters})
        text = std::max(text, caption.horizontalAdvance(line));
    const int lines = m_facts.note.isEmpty() ? 2 : 3;
    return {std::max(style.px(10.5), text + style.px(2)),
            style.px(2.0) + style.px(3.6) + heading.height() + lines * caption.height()};
}

void ArchitectureCard::paintPicture(QPainter& painter, const QRectF& box) const {
    const Colors& colors = Style::instance().colors();
    const QColor strong = isChecked() ? colors.accent : colors.outline;
    painter.setPen(Qt::NoPen);
    if (m_facts.layers <= 0) {  // custom: three sliders
        for (int row = 0; row < 3; ++row) {
            const double y = box.top() + box.height() * (0.2 + 0.3 * row);
            const double knob = box.left() + box.width() * (row == 0 ? 0.3 : row == 1 ? 0.65 : 0.45) * 0.6;
            painter.setBrush(mix(colors.surface, strong, 0.45));
            painter.drawRoundedRect(QRectF(box.left(), y - 1, box.width() * 0.6, 2), 1, 1);
            painter.setBrush(strong);
            painter.drawEllipse(QPointF(knob, y), box.height() * 0.09, box.height() * 0.09);
        }
        return;
    }
    const int bars = std::min(m_facts.layers, kMostBars);
    const double tall = std::sqrt(std::min(m_facts.width / kWidestModel, 1.0));
    const double pitch = std::min(box.width() / kMostBars, box.height() * 0.16);
    for (int bar = 0; bar < bars; ++bar) {
        const double height = std::max(3.0, box.height() * tall);
        const QRectF one(box.left() + bar * pitch, box.bottom() - height, std::max(1.0, pitch * 0.62), height);
        painter.setBrush(mix(colors.surface, strong, 0.35 + 0.65 * (bar + 1) / bars));
        painter.drawRoundedRect(one, pitch * 0.2, pitch * 0.2);
    }
}

void ArchitectureCard::paintEvent(QPaintEvent*) {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = isChecked() || hasFocus() ? 2 : 1;
    const QRectF frame = QRectF(rect()).adjusted(line / 2, line / 2, -line / 2, -line / 2);
    const QColor fill = isChecked() ? colors.accentSoft : underMouse() ? colors.raised : colors.surface;
    painter.setBrush(isEnabled() ? fill : colors.window);
    painter.setPen(QPen(isChecked() || hasFocus() ? colors.accent : colors.border, line));
    painter.drawRoundedRect(frame, style.px(0.7), style.px(0.7));

    const double margin = style.px(1);
    QRectF inner = QRectF(rect()).adjusted(margin, margin, -margin, -margin);
    paintPicture(painter, QRectF(inner.left(), inner.top(), inner.width(), style.px(2.8)));
    if (isChecked()) {
        const QRectF tick(inner.right() - style.px(1.2), inner.top() - style.px(0.2), style.px(1.2), style.px(1.2));
        paintIcon(painter, Icon::check, tick, colors.accent);
    }
    inner.setTop(inner.top() + style.px(3.6));
    const auto write = [&](const QString& text, FontRole role, const QColor& color) {
        painter.setFont(style.font(role));
        painter.setPen(color);
        const QFontMetrics metrics(painter.font());
        painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, static_cast<int>(inner.width())));
        inner.setTop(inner.top() + metrics.height());
    };
    write(m_facts.name, FontRole::heading, isEnabled() ? colors.text : colors.textMuted);
    write(m_facts.shape, FontRole::caption, colors.textMuted);
    write(m_facts.parameters, FontRole::caption, colors.text);
    if (!m_facts.note.isEmpty())
        write(m_facts.note, FontRole::caption, colors.textMuted);
}

}  // namespace unmask::ui
