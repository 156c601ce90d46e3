// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/page_parts.h"

#include "ui/style/style.h"

namespace unmask::ui {

void keepIcon(QAbstractButton* button, Icon which) {
    const auto remake = [button, which] {
        const QVariant role = button->property("role");
        const Colors& colors = Style::instance().colors();
        button->setIcon(role == QVariant(QStringLiteral("primary")) ? icon(which, colors.accentText) : icon(which));
    };
    remake();
    QObject::connect(&Style::instance(), &Style::changed, button, remake);
}

QPushButton* makeButton(QWidget* parent, std::optional<Icon> which, const char* role) {
    auto* button = new QPushButton(parent);
    if (role)
        setRole(button, role);
    if (which)
        keepIcon(button, *which);
    return button;
}

QToolButton* makeToolButton(QWidget* parent, Icon which) {
    auto* button = new QToolButton(parent);
    setRole(button, "quiet");
    keepIcon(button, which);
    return button;
}

QLabel* makeLabel(QWidget* parent, const char* role) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    if (role)
        setRole(label, role);
    return label;
}

QLabel* makeWrappingLabel(QWidget* parent, const char* role) {
    QLabel* label = makeLabel(parent, role);
    label->setWordWrap(true);
    return label;
}

QVBoxLayout* makePageColumn(QWidget* page) {
    auto* column = new QVBoxLayout(page);
    const auto fit = [column] {
        const int edge = wideGap();
        column->setContentsMargins(edge, edge, edge, edge);
        column->setSpacing(gap());
    };
    fit();
    QObject::connect(&Style::instance(), &Style::changed, column, fit);
    return column;
}

QScrollArea* makeScroll(QWidget* content) {
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    return scroll;
}

}  // namespace unmask::ui
