// SPDX-License-Identifier: Apache-2.0
// One entry of a Rail; it paints itself.
#pragma once

#include <QAbstractButton>

#include "ui/widgets/rail.h"

namespace unmask::ui {

class RailButton final : public QAbstractButton {
    Q_OBJECT
 public:
    RailButton(std::optional<Icon> icon, QWidget* parent);

    void setMark(RailMark mark, int count);
    void setShortcutText(const QString& keys);
    void setCompact(bool compact);
    void describe();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

 private:
    void paintMark(QPainter& painter, const QRectF& box) const;

    std::optional<Icon> m_icon;
    RailMark m_mark = RailMark::none;
    int m_count = 0;
    QString m_keys;
    bool m_compact = false;
    bool m_keyboardFocus = false;
};

}  // namespace unmask::ui
