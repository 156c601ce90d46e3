// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/stat_tile.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/style/numbers.h"
#include "ui/style/style.h"

namespace unmask::ui {

StatTile::StatTile(const QString& caption, QWidget* parent)
    : QWidget(parent), m_caption(new QLabel(this)), m_value(new QLabel(this)), m_detail(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_caption);
    column->addWidget(m_value);
    column->addWidget(m_detail);
    column->addStretch();
    setRole(m_caption, "caption");
    setRole(m_value, "figure");
    setRole(m_detail, "caption");
    m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_value->setFocusPolicy(Qt::NoFocus);
    m_detail->hide();
    setCaption(caption);
    setValue({});
}

void StatTile::setCaption(const QString& caption) {
    m_caption->setText(caption);
    describe();
}

void StatTile::setValue(const QString& value, const QString& exactValue) {
    m_value->setText(value.isEmpty() ? numbers::unknown() : value);
    m_value->setToolTip(exactValue);
    describe();
}

void StatTile::setDetail(const QString& detail) {
    m_detailText = detail;
    describe();
}

void StatTile::setStale(const QString& asOf) {
    if (asOf.isEmpty() != m_asOf.isEmpty())
        setRole(m_value, asOf.isEmpty() ? "figure" : "figureStale");
    m_asOf = asOf;
    describe();
}

QString StatTile::value() const {
    return m_value->text();
}

void StatTile::describe() {
    const QString below = m_asOf.isEmpty() ? m_detailText : m_asOf;
    m_detail->setText(below);
    m_detail->setVisible(!below.isEmpty());
    const bool known = m_value->text() != numbers::unknown();
    setAccessibleName(tr("%1: %2").arg(m_caption->text(), known ? m_value->text() : tr("unknown")));
    setAccessibleDescription(below);
}

}  // namespace unmask::ui
