// SPDX-License-Identifier: Apache-2.0
// The run in words beside the form: parameters, tokens, time, memory, what stands in the way, and Start.
#pragma once

#include <QWidget>

#include "ui/pages/plan_watch.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace unmask::ui {

class MemoryBar;

class PlanPane final : public QWidget {
    Q_OBJECT
 public:
    explicit PlanPane(QWidget* parent = nullptr);

    void show(const Estimate& estimate, const QList<FieldProblem>& problems);
    void setStarting(bool starting, const QString& what = {});
    QPushButton* startButton() const { return m_start; }
    QWidget* footer() const { return m_footer; }  // room for more buttons above Start

 Q_SIGNALS:
    void startRequested();
    void problemChosen(const QString& path);

 private:
    void build();
    void retext();
    void refresh();
    void refreshProblems();
    void refreshStart();

    QLabel* m_title;
    QLabel* m_parameters;
    QLabel* m_parametersUnit;
    QLabel* m_work;
    QLabel* m_time;
    QLabel* m_memoryTitle;
    MemoryBar* m_memory;
    QLabel* m_verdict;
    QLabel* m_verdictTitle;
    QWidget* m_problemList;
    QVBoxLayout* m_problemColumn;
    QWidget* m_footer;
    QLabel* m_progress;
    QPushButton* m_start;
    std::optional<Estimate> m_estimate;
    QList<FieldProblem> m_problems;
    bool m_starting = false;
};

}  // namespace unmask::ui
