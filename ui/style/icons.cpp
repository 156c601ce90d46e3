// SPDX-License-Identifier: Apache-2.0
#include "ui/style/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

#include "ui/style/icon_strokes.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

// Draws at the size asked for, so that no scaled bitmap is ever shown.
class StrokeIconEngine final : public QIconEngine {
 public:
    StrokeIconEngine(Icon which, QColor color) : m_which(which), m_color(std::move(color)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        QColor color = m_color;
        if (mode == QIcon::Disabled)
            color.setAlphaF(0.4F);
        paintIcon(*painter, m_which, rect, color);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new StrokeIconEngine(m_which, m_color); }

 private:
    Icon m_which;
    QColor m_color;
};

}  // namespace

QIcon icon(Icon which) {
    return icon(which, Style::instance().colors().text);
}

QIcon icon(Icon which, const QColor& color) {
    return QIcon(new StrokeIconEngine(which, color));
}

void paintIcon(QPainter& painter, Icon which, const QRectF& box, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(box.width(), box.height());
    painter.translate(box.center() - QPointF(side / 2, side / 2));
    painter.scale(side / 24, side / 24);
    painter.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const IconShape shape = shapeOf(which);
    painter.drawPath(shape.strokes);
    if (!shape.filled.isEmpty()) {
        painter.setBrush(color);
        painter.drawPath(shape.filled);
    }
    painter.restore();
}

}  // namespace unmask::ui
