// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/segmented_control.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/style/style.h"

namespace unmask::ui {

SegmentedControl::SegmentedControl(QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this)), m_row(new QHBoxLayout(this)) {
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on)
            Q_EMIT currentChanged(id);
    });
}

void SegmentedControl::setTexts(const QStringList& texts, const QStringList& tooltips) {
    for (int i = static_cast<int>(m_group->buttons().size()); i < texts.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setCheckable(true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setProperty("first", i == 0);
        button->setProperty("last", i == texts.size() - 1);
        setRole(button, "segment");
        m_group->addButton(button, i);
        m_row->addWidget(button);
    }
    for (int i = 0; i < texts.size(); ++i) {
        m_group->button(i)->setText(texts[i]);
        m_group->button(i)->setToolTip(tooltips.value(i));
    }
    if (m_group->checkedId() < 0 && !texts.isEmpty()) {
        const QSignalBlocker quiet(m_group);
        m_group->button(0)->setChecked(true);
    }
}

int SegmentedControl::current() const {
    return m_group->checkedId();
}

void SegmentedControl::setCurrent(int index) {
    if (QAbstractButton* button = m_group->button(index))
        button->setChecked(true);
}

void SegmentedControl::next() {
    const int count = static_cast<int>(m_group->buttons().size());
    if (count > 0)
        setCurrent((current() + 1) % count);
}

}  // namespace unmask::ui
