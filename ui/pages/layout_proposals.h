// SPDX-License-Identifier: Apache-2.0
// The planner's best layouts with time, memory and reasons; one click takes one over.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/pages/layout_watch.h"

class QLabel;
class QVBoxLayout;

namespace unmask::ui {

class LayoutProposalList final : public QWidget {
    Q_OBJECT
 public:
    explicit LayoutProposalList(QWidget* parent = nullptr);  // hidden until there is something to show

    void show(const LayoutProposals& proposals);
    void clear();
    const std::optional<LayoutProposals>& proposals() const { return m_proposals; }

 Q_SIGNALS:
    void chosen(const unmask::ParallelConfig& parallel);

 private:
    void rebuild();
    QWidget* makeCard(const LayoutChoice& proposal, int number);

    QLabel* m_title;
    QVBoxLayout* m_column;
    std::optional<LayoutProposals> m_proposals;
};

}  // namespace unmask::ui
