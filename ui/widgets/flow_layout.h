// SPDX-License-Identifier: Apache-2.0
// Lays items out in rows that wrap, for chips, tiles and cards.
#pragma once

#include <QLayout>
#include <QList>

namespace unmask::ui {

class FlowLayout final : public QLayout {
    Q_OBJECT
 public:
    explicit FlowLayout(QWidget* parent = nullptr, int spacing = -1);  // -1: gap()
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    void setGeometry(const QRect& box) override;

 private:
    int arrange(const QRect& box, bool place) const;  // returns the height used

    QList<QLayoutItem*> m_items;
    int m_spacing;
};

}  // namespace unmask::ui
