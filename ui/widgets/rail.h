// SPDX-License-Identifier: Apache-2.0
// Vertical navigation: icon, word, and a badge of state. Used for the rooms of the window and the sections of a form.
#pragma once

#include <QColor>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/style/icons.h"

class QVBoxLayout;

namespace unmask::ui {

enum class RailMark { none, ok, warning, error };

class RailButton;

class Rail final : public QWidget {
    Q_OBJECT
 public:
    explicit Rail(QWidget* parent = nullptr);

    int addItem(std::optional<Icon> icon, const QString& text);
    void addStretch();
    void setText(int index, const QString& text);
    void setMark(int index, RailMark mark, int count = 0);  // "!" or "×" with its count, or a tick
    void setItemEnabled(int index, bool enabled);
    void setShortcutText(int index, const QString& keys);  // in the tooltip
    void setCompact(bool compact);                         // icons over words are dropped: icons only
    int current() const { return m_current; }
    int count() const { return static_cast<int>(m_buttons.size()); }
    void setCurrent(int index);

 Q_SIGNALS:
    void currentChanged(int index);

 protected:
    void keyPressEvent(QKeyEvent* event) override;

 private:
    std::vector<RailButton*> m_buttons;
    QVBoxLayout* m_column;
    int m_current = -1;
    bool m_compact = false;
};

}  // namespace unmask::ui
