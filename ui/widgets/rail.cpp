// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/rail.h"

#include <QKeyEvent>
#include <QVBoxLayout>

#include "ui/style/style.h"
#include "ui/widgets/rail_button.h"

namespace unmask::ui {

Rail::Rail(QWidget* parent) : QWidget(parent), m_column(new QVBoxLayout(this)) {
    setRole(this, "rail");
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    const int margin = Style::instance().px(0.55);
    m_column->setContentsMargins(margin, margin, margin, margin);
    m_column->setSpacing(Style::instance().px(0.2));
    m_column->setAlignment(Qt::AlignTop);
}

int Rail::addItem(std::optional<Icon> icon, const QString& text) {
    const int index = count();
    auto* button = new RailButton(icon, this);
    button->setCompact(m_compact);
    m_buttons.push_back(button);
    m_column->addWidget(button);
    setText(index, text);
    connect(button, &QAbstractButton::clicked, this, [this, index] { setCurrent(index); });
    if (m_current < 0)
        setCurrent(0);
    return index;
}

void Rail::addStretch() {
    m_column->addStretch();
}

void Rail::setText(int index, const QString& text) {
    m_buttons.at(static_cast<size_t>(index))->setText(text);
    m_buttons.at(static_cast<size_t>(index))->describe();
}

void Rail::setMark(int index, RailMark mark, int count) {
    m_buttons.at(static_cast<size_t>(index))->setMark(mark, count);
}

void Rail::setItemEnabled(int index, bool enabled) {
    m_buttons.at(static_cast<size_t>(index))->setEnabled(enabled);
}

void Rail::setShortcutText(int index, const QString& keys) {
    m_buttons.at(static_cast<size_t>(index))->setShortcutText(keys);
}

void Rail::setCompact(bool compact) {
    m_compact = compact;
    for (RailButton* button : m_buttons)
        button->setCompact(compact);
}

void Rail::setCurrent(int index) {
    if (index < 0 || index >= count())
        return;
    for (int i = 0; i < count(); ++i)
        m_buttons[static_cast<size_t>(i)]->setChecked(i == index);
    if (index == m_current)
        return;
    m_current = index;
    Q_EMIT currentChanged(index);
}

void Rail::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (step == 0)
        return QWidget::keyPressEvent(event);
    for (int i = m_current + step; i >= 0 && i < count(); i += step)
        if (m_buttons[static_cast<size_t>(i)]->isEnabled()) {
            setCurrent(i);
            m_buttons[static_cast<size_t>(i)]->setFocus();
            return;
        }
}

}  // namespace unmask::ui
