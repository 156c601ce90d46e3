// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_proposals.h"

#include <QHBoxLayout>

#include "engine/protocol/spec_json.h"
#include "ui/pages/layout_words.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/style/language.h"
#include "ui/style/style.h"
#include "ui/widgets/problem_label.h"

namespace unmask::ui {

LayoutProposalList::LayoutProposalList(QWidget* parent)
    : QWidget(parent), m_title(makeLabel(this, "heading")), m_column(new QVBoxLayout) {
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(gap());
    whole->addWidget(m_title);
    whole->addLayout(m_column);
    hide();
    (new Retranslator(this))->add([this] { rebuild(); });
}

void LayoutProposalList::show(const LayoutProposals& proposals) {
    m_proposals = proposals;
    rebuild();
    QWidget::show();
}

void LayoutProposalList::clear() {
    m_proposals.reset();
    rebuild();
    hide();
}

void LayoutProposalList::rebuild() {
    while (QLayoutItem* item = m_column->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    if (!m_proposals)
        return;
    m_title->setText(m_proposals->list.empty() ? tr("Nothing can be proposed for this model on these machines.")
                                               : tr("Proposed layouts, the best first"));
    int number = 0;
    for (const LayoutChoice& proposal : m_proposals->list)
        m_column->addWidget(makeCard(proposal, ++number));
}

QWidget* LayoutProposalList::makeCard(const LayoutChoice& proposal, int number) {
    const LayoutPlan& plan = proposal.plan;
    auto* card = new QFrame(this);
    setRole(card, "sunken");
    card->setObjectName(QStringLiteral("proposal-%1").arg(number));
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(gap(), gap(), gap(), gap());
    column->setSpacing(gap() / 2);
    auto* row = new QHBoxLayout;
    auto* words = makeWrappingLabel(card, "heading");
    words->setText(sentence(layoutWords(plan.parallel)));
    auto* use = makeButton(card, Icon::check);
    use->setText(tr("Use this layout"));
    use->setAccessibleName(tr("Use proposed layout %1").arg(number));
    use->setObjectName(QStringLiteral("useProposal-%1").arg(number));
    row->addWidget(words, 1);
    row->addWidget(use, 0, Qt::AlignTop);
    column->addLayout(row);
    auto* figures = makeWrappingLabel(card);
    figures->setObjectName(QStringLiteral("proposalFigures-%1").arg(number));
    figures->setText(plan.projection ? tr("Projection: %1").arg(planFigures(plan)) : planFigures(plan));
    column->addWidget(figures);
    for (const Sentence& reason : proposal.reasons) {
        auto* line = makeWrappingLabel(card, "caption");
        line->setText(sentence(reason));
        column->addWidget(line);
    }
    for (const Problem& limit : plan.limits) {
        if (limit.severity != Severity::error)
            continue;
        auto* line = new ProblemLabel(card);
        line->setProblem(ProblemKind::warning,
                         tr("Not carried out by this version yet: %1").arg(inUiLanguage(limit.en, limit.zh)));
        column->addWidget(line);
    }
    connect(use, &QPushButton::clicked, this, [this, parallel = plan.parallel] { Q_EMIT chosen(parallel); });
    return card;
}

}  // namespace unmask::ui
