// SPDX-License-Identifier: Apache-2.0
// The devices of a layout as a grid: nodes as frames, devices as cards, or as tiles where there are many. Arrow keys
// and the mouse go from device to device, and what is known of the current one is said in words.
#pragma once

#include <QVector>
#include <QWidget>

#include "ui/widgets/layout_scene.h"

namespace unmask::ui {

class LayoutPicture final : public QWidget {
    Q_OBJECT
 public:
    explicit LayoutPicture(QWidget* parent = nullptr);

    void setScene(const LayoutScene& scene);
    const LayoutScene& scene() const { return m_scene; }
    int shownDevices() const;       // drawn one by one; whole nodes beyond a number are only counted
    bool showsCards() const;        // else tiles
    QRectF boxOf(int shown) const;  // of a drawn device, in the widget
    qint64 current() const { return m_current; }
    void setCurrent(qint64 device);
    QString currentWords() const;  // sentences about the current device

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

 Q_SIGNALS:
    void currentChanged(qint64 device);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

 private:
    struct Frame {
        QRectF box;
        QString title;
    };
    struct Placement {
        QVector<Frame> frames;
        QVector<QRectF> devices;  // device i is the i-th
        QString rest;
        QRectF restBox;
        double height = 0;
    };
    Placement place(double width) const;
    const Placement& placement() const;
    int deviceAt(const QPointF& point) const;  // −1: none
    void describe();

    LayoutScene m_scene;
    qint64 m_current = 0;
    mutable Placement m_placement;  // of the width below
    mutable int m_placedWidth = -1;
};

}  // namespace unmask::ui
