// SPDX-License-Identifier: Apache-2.0
// A small rounded label that can carry a coloured line mark (the run's curve in Compare) and a close button.
#pragma once

#include <QColor>
#include <QWidget>

namespace unmask::ui {

enum class LineMark { none, circle, square, triangle, diamond, cross, plus, triangleDown, star };
constexpr int kLineMarks = 8;  // without none
void paintLineMark(QPainter& painter, LineMark mark, const QPointF& center, double size, const QColor& color);

class Chip final : public QWidget {
    Q_OBJECT
 public:
    explicit Chip(const QString& text, QWidget* parent = nullptr);

    void setText(const QString& text);
    QString text() const { return m_text; }
    void setLine(const QColor& color, LineMark mark);  // an invalid colour draws none
    void setStarred(bool starred);                     // baseline
    void setClosable(bool closable);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
    void clicked();
    void closeRequested();

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

 private:
    QRectF closeBox() const;

    QString m_text;
    QColor m_color;
    LineMark m_mark = LineMark::none;
    bool m_starred = false;
    bool m_closable = false;
};

}  // namespace unmask::ui
