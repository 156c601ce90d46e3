// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/sparkline.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/style.h"

namespace unmask::ui {

void paintSparkline(QPainter& painter, const QRectF& box, const QVector<double>& values, const QColor& color) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const double value : values)
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (!(low <= high) || values.size() < 2)
        return;
    const double span = high > low ? high - low : 1;
    const auto place = [&](qsizetype index) {
        const double share = high > low ? (values[index] - low) / span : 0.5;
        return QPointF(box.left() + box.width() * static_cast<double>(index) / static_cast<double>(values.size() - 1),
                       box.bottom() - box.height() * share);
    };
    QVector<QLineF> lines;
    for (qsizetype i = 1; i < values.size(); ++i)
        if (std::isfinite(values[i - 1]) && std::isfinite(values[i]))
            lines.append(QLineF(place(i - 1), place(i)));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLines(lines);
    painter.restore();
}

Sparkline::Sparkline(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Small curve"));
    connect(&Style::instance(), &Style::changed, this, qOverload<>(&QWidget::update));
}

void Sparkline::setValues(const QVector<double>& values) {
    m_values = values;
    update();
}

QSize Sparkline::sizeHint() const {
    return {Style::instance().px(6), Style::instance().px(1.6)};
}

void Sparkline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintSparkline(painter, QRectF(rect()).adjusted(1, 2, -1, -2), m_values, Style::instance().chartColors().series[0]);
}

}  // namespace unmask::ui
