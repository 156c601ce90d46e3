// SPDX-License-Identifier: Apache-2.0
// One architecture to choose from: name, shape, parameter count and a small picture of its depth and width. Cards in
// one parent exclude each other, like radio buttons, and the arrow keys move between them.
#pragma once

#include <QAbstractButton>

namespace unmask::ui {

struct ArchitectureFacts {
    QString name;        // "base"
    QString shape;       // "12 layers × 768"
    QString parameters;  // "162.2 M parameters", or what it is good for
    QString note;        // one line, muted
    int layers = 0;      // drawn as bars; 0 draws sliders (custom)
    int width = 0;
};

class ArchitectureCard final : public QAbstractButton {
    Q_OBJECT
 public:
    explicit ArchitectureCard(QWidget* parent = nullptr);

    void setFacts(const ArchitectureFacts& facts);
    const ArchitectureFacts& facts() const { return m_facts; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
    void paintEvent(QPaintEvent* event) override;

 private:
    void paintPicture(QPainter& painter, const QRectF& box) const;

    ArchitectureFacts m_facts;
};

}  // namespace unmask::ui
