// SPDX-License-Identifier: Apache-2.0
// Keeps the estimate of the form current: planner, checks and a look at the data files run in another thread, shortly
// after the last edit; answers for an older form are dropped.
#pragma once

#include <QFuture>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <optional>

#include "engine/planner/plan.h"
#include "ui/forms/spec_draft.h"

namespace unmask::ui {

class EngineProcess;

struct Estimate {
    Plan plan;
    Hardware hardware;
    QList<FieldProblem> problems;
    RunSpec spec;  // that it speaks about
    int errors() const;
    int warnings() const;
};

class PlanWatch final : public QObject {
    Q_OBJECT
 public:
    explicit PlanWatch(EngineProcess& engine, QObject* parent = nullptr);
    ~PlanWatch() override;

    void setSpec(const RunSpec& spec);  // answered by estimated(), soon
    void ask();                         // again for the same spec: memory or language changed
    const std::optional<Estimate>& latest() const { return m_latest; }
    bool isComputing() const { return m_pool.activeThreadCount() > 0; }

 Q_SIGNALS:
    void estimated(const unmask::ui::Estimate& estimate);

 private:
    void compute();

    QThreadPool m_pool;
    QTimer m_pause;
    RunSpec m_spec;
    quint64 m_version = 0;
    std::optional<double> m_flopsPerSecond;  // measured by the engine's probe
    std::optional<Estimate> m_latest;
};

}  // namespace unmask::ui
