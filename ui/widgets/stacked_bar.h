// SPDX-License-Identifier: Apache-2.0
// A bar made of named parts, with a legend: memory, time or traffic of a layout. The painting is apart from the widget,
// since the cards of a layout's devices draw small bars without legend.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <QWidget>

namespace unmask::ui {

struct StackSegment {
    QString name;
    QString letter;  // drawn inside where there is room; may be empty
    QString amount;  // "12.3 GiB", for the legend; empty where the name says all
    double size = 0;
    QColor color;
    bool hatched = false;
};

// Segments one after another in a rounded bar that stands for `whole`; what they leave stays empty.
void paintStack(QPainter& painter, const QRectF& bar, const QVector<StackSegment>& segments, double whole);
// A null painter only measures. Returns the height.
int paintStackLegend(QPainter* painter, int width, const QVector<StackSegment>& segments);

class StackedBar final : public QWidget {
    Q_OBJECT
 public:
    explicit StackedBar(QWidget* parent = nullptr);

    void setSegments(const QString& name, const QVector<StackSegment>& segments);  // those of size 0 are left out
    const QVector<StackSegment>& segments() const { return m_segments; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

 protected:
    void paintEvent(QPaintEvent* event) override;

 private:
    QVector<StackSegment> m_segments;
};

}  // namespace unmask::ui
