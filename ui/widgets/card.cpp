// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/style/style.h"

namespace unmask::ui {

Card::Card(QWidget* parent) : Card(QString(), parent) {}

Card::Card(const QString& title, QWidget* parent)
    : QFrame(parent),
      m_title(new QLabel(this)),
      m_header(new QWidget(this)),
      m_headerRow(new QHBoxLayout(m_header)),
      m_outer(new QVBoxLayout(this)),
      m_body(new QVBoxLayout) {
    setRole(this, "card");
    setRole(m_title, "heading");
    m_headerRow->setContentsMargins(0, 0, 0, 0);
    m_headerRow->addWidget(m_title, 1);
    m_outer->addWidget(m_header);
    m_outer->addLayout(m_body, 1);
    setTitle(title);
    applyMetrics();
    connect(&Style::instance(), &Style::changed, this, &Card::applyMetrics);
}

void Card::setTitle(const QString& title) {
    m_title->setText(title);
    setAccessibleName(title);
    m_header->setVisible(!title.isEmpty() || m_headerRow->count() > 1);
}

void Card::addHeaderWidget(QWidget* widget) {
    m_headerRow->addWidget(widget);
    m_header->show();
}

void Card::applyMetrics() {
    const int margin = Style::instance().px(0.95);
    m_outer->setContentsMargins(margin, Style::instance().px(0.75), margin, margin);
    m_outer->setSpacing(gap());
    m_body->setSpacing(gap());
    m_headerRow->setSpacing(Style::instance().px(0.25));
}

}  // namespace unmask::ui
