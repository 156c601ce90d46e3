// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/problem_label.h"

#include <QHBoxLayout>
#include <QLabel>

#include "ui/style/icons.h"
#include "ui/style/style.h"

namespace unmask::ui {

ProblemLabel::ProblemLabel(QWidget* parent) : QWidget(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Style::instance().px(0.35));
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setFocusPolicy(Qt::NoFocus);
    hide();
    connect(&Style::instance(), &Style::changed, this, &ProblemLabel::restyle);
}

void ProblemLabel::setProblem(ProblemKind kind, const QString& sentence) {
    const bool recolor = kind != m_kind;
    m_kind = sentence.isEmpty() ? ProblemKind::none : kind;
    m_text->setText(sentence);
    setAccessibleName(sentence);
    if (recolor)
        restyle();
    setVisible(m_kind != ProblemKind::none);
}

QString ProblemLabel::sentence() const {
    return m_text->text();
}

void ProblemLabel::restyle() {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    const bool error = m_kind == ProblemKind::error;
    const bool warning = m_kind == ProblemKind::warning;
    const QColor color = error ? colors.danger : warning ? colors.warning : colors.info;
    const Icon which = error ? Icon::error : warning ? Icon::warning : Icon::info;
    m_icon->setPixmap(icon(which, color).pixmap(style.px(1.1), style.px(1.1)));
    setRole(m_text, error ? "problemError" : warning ? "problemWarning" : "problemNote");
}

}  // namespace unmask::ui
