// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/empty_state.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/style.h"

namespace unmask::ui {

EmptyState::EmptyState(Icon picture, QWidget* parent)
    : QWidget(parent),
      m_picture(picture),
      m_icon(new QLabel(this)),
      m_sentence(new QLabel(this)),
      m_main(new QPushButton(this)),
      m_second(new QPushButton(this)) {
    auto* column = new QVBoxLayout(this);
    auto* buttons = new QHBoxLayout;
    column->addStretch(2);
    column->addWidget(m_icon, 0, Qt::AlignHCenter);
    column->addWidget(m_sentence, 0, Qt::AlignHCenter);
    column->addSpacing(gap());
    column->addLayout(buttons);
    column->addStretch(3);
    buttons->addStretch();
    buttons->addWidget(m_main);
    buttons->addWidget(m_second);
    buttons->addStretch();
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    setRole(m_main, "primary");
    connect(m_main, &QPushButton::clicked, this, &EmptyState::mainRequested);
    connect(m_second, &QPushButton::clicked, this, &EmptyState::secondRequested);
    connect(&Style::instance(), &Style::changed, this, &EmptyState::restyle);
    setTexts({}, {});
    restyle();
}

void EmptyState::setTexts(const QString& sentence, const QString& buttonText, const QString& secondButtonText) {
    m_sentence->setText(sentence);
    m_sentence->setFixedHeight(std::max(0, m_sentence->heightForWidth(Style::instance().px(36))));
    setAccessibleName(sentence);
    m_main->setText(buttonText);
    m_main->setVisible(!buttonText.isEmpty());
    m_second->setText(secondButtonText);
    m_second->setVisible(!secondButtonText.isEmpty());
}

void EmptyState::restyle() {
    const Style& style = Style::instance();
    m_icon->setPixmap(icon(m_picture, style.colors().outline).pixmap(style.px(3.4), style.px(3.4)));
    // A wrapped label asks for the height of another width than the one it gets, so both are set.
    m_sentence->setFixedWidth(style.px(36));
    m_sentence->setFixedHeight(std::max(0, m_sentence->heightForWidth(style.px(36))));
}

}  // namespace unmask::ui
