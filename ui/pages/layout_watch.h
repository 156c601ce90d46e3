// SPDX-License-Identifier: Apache-2.0
// Keeps what is known of the form's layout current: machines, rules, memory, time and the legal layout nearest to it.
// All of it is worked out in another thread; of edits that come faster than answers only the last is answered.
#pragma once

#include <QFuture>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <map>
#include <optional>

#include "engine/planner/layout_plan.h"

namespace unmask::ui {

struct LayoutQuestion {
    RunSpec spec;
    QString machines;                  // in words; empty: this computer
    std::optional<Hardware> hardware;  // of this computer; looked for where it is not given
};

struct LayoutAnswer {
    RunSpec spec;      // that it speaks about
    QString machines;  // as they were described
    Hardware hardware;
    std::optional<MachineSet> set;  // empty where the words were not understood
    Sentence complaint;             // then why
    Sentence here;                  // what Start would train on: "2 CPU cores"
    bool planned = false;           // false while other fields of the form are wrong
    LayoutPlan plan;
    std::optional<ParallelConfig> nearest;                // legal; where the plan is not
    std::optional<ParallelConfig> runnable;               // that this version carries out; where it does not
    std::map<std::string, std::vector<int64_t>> allowed;  // sizes that the model allows, by setting
};
LayoutAnswer answerLayout(const LayoutQuestion& question);

struct LayoutProposals {
    RunSpec spec;
    QString machines;
    std::vector<LayoutChoice> list;  // best first
};
// On this computer only what this version carries out, as long as there is something.
LayoutProposals proposeLayouts(const LayoutQuestion& question, const MachineSet& set);

class LayoutWatch final : public QObject {
    Q_OBJECT
 public:
    explicit LayoutWatch(QObject* parent = nullptr);
    ~LayoutWatch() override;

    void ask(const LayoutQuestion& question);  // answered by answered(), soon
    void propose();                            // for what was asked last; answered by proposed()
    bool isProposing() const { return m_proposing; }

 Q_SIGNALS:
    void answered(const unmask::ui::LayoutAnswer& answer);
    void proposed(const unmask::ui::LayoutProposals& proposals);

 private:
    void compute();

    QThreadPool m_pool;
    LayoutQuestion m_question;
    std::optional<MachineSet> m_set;  // of the last answer
    bool m_computing = false;
    bool m_again = false;  // the question changed while its answer was on the way
    bool m_proposing = false;
};

}  // namespace unmask::ui
