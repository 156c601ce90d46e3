// SPDX-License-Identifier: Apache-2.0
// The section of the form where a run is laid out over devices by looking at it: machines found or described, sizes,
// the picture, why a layout is refused and which one is near, what it is expected to take, and proposals.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/forms/spec_draft.h"
#include "ui/pages/layout_watch.h"

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace unmask::ui {

class LayoutFiguresPane;
class LayoutPicture;
class LayoutProposalList;
class LayoutSizes;
class SectionForm;
class ThinProgress;

class LayoutSection final : public QWidget {
    Q_OBJECT
 public:
    explicit LayoutSection(SpecDraft* draft, QWidget* parent = nullptr);

    static QStringList paths();  // settings that are edited here
    bool focusSetting(const QString& path);
    void setHardware(const Hardware& hardware);      // of this computer, as it is now
    QString machines() const { return m_machines; }  // as described; empty: this computer
    void setMachines(const QString& words);
    const std::optional<LayoutAnswer>& latest() const { return m_answer; }

 Q_SIGNALS:
    void machinesChanged(const QString& words);
    void answered();  // latest() speaks of the form

 private:
    struct ProblemLine {
        ProblemKind kind = ProblemKind::none;  // none: a heading, or a button with what it changes
        QString text;
        QString button;
        QString name;
        ParallelConfig parallel;
        bool operator==(const ProblemLine&) const = default;
    };
    void build();
    void buildMachines(QVBoxLayout* column);
    void buildPicture(QVBoxLayout* column);
    void retext();
    void ask();
    void onMachinesTyped(const QString& text);
    void onAnswer(const LayoutAnswer& answer);
    void onProposals(const LayoutProposals& proposals);
    void refresh();
    void refreshClaim();
    void refreshProblems();
    void refreshPicture();
    QList<ProblemLine> problemLines() const;
    QWidget* makeLine(const ProblemLine& line);
    void use(const ParallelConfig& parallel, const QString& undoName);

    SpecDraft* m_draft;
    LayoutWatch m_watch;
    QString m_machines;
    std::optional<Hardware> m_hardware;
    std::optional<LayoutAnswer> m_answer;

    QLabel* m_machinesLabel = nullptr;
    QComboBox* m_machinesBox = nullptr;
    QPushButton* m_propose = nullptr;
    ProblemLabel* m_complaint = nullptr;
    QLabel* m_badge = nullptr;
    QLabel* m_claim = nullptr;
    QLabel* m_startNote = nullptr;
    ThinProgress* m_progress = nullptr;
    LayoutProposalList* m_proposals = nullptr;
    LayoutSizes* m_sizes = nullptr;
    QList<ProblemLine> m_problemLines;  // as they are shown
    QWidget* m_problemList = nullptr;
    QVBoxLayout* m_problemColumn = nullptr;
    QLabel* m_words = nullptr;
    LayoutPicture* m_picture = nullptr;
    QLabel* m_legend = nullptr;
    QLabel* m_device = nullptr;
    LayoutFiguresPane* m_figures = nullptr;
    SectionForm* m_more = nullptr;
};

}  // namespace unmask::ui
