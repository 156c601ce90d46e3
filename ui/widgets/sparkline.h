// SPDX-License-Identifier: Apache-2.0
// A curve without axes, for tiles and table rows.
#pragma once

#include <QVector>
#include <QWidget>

namespace unmask::ui {

// For item delegates. Non-finite values are gaps.
void paintSparkline(QPainter& painter, const QRectF& box, const QVector<double>& values, const QColor& color);

class Sparkline final : public QWidget {
    Q_OBJECT
 public:
    explicit Sparkline(QWidget* parent = nullptr);

    void setValues(const QVector<double>& values);
    QSize sizeHint() const override;

 protected:
    void paintEvent(QPaintEvent* event) override;

 private:
    QVector<double> m_values;
};

}  // namespace unmask::ui
