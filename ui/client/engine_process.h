// SPDX-License-Identifier: Apache-2.0
// Asks the engine for things that end: start a run, examine this machine, plan a spec, tell a status, draw a sample.
// Each call returns at once with a task whose `finished` brings the reply; nothing here blocks or throws.
#pragma once

#include <QObject>
#include <filesystem>
#include <optional>

#include "engine/protocol/run_spec.h"
#include "ui/client/engine_task.h"

namespace unmask::ui {

// UNMASK_ENGINE, else `unmask-engine` beside this program.
QString locateEngine();

struct StartRequest {
    RunSpec spec;                     // ignored by a resume
    std::filesystem::path runFolder;  // empty: the engine chooses one in the runs folder
    bool resume = false;
    QStringList changes;  // "training.steps=900": changeable settings of a resume
};

// What is not set is left to the run's own settings.
struct SampleRequest {
    std::filesystem::path runFolder;
    QString checkpoint;  // "step-100"; empty: the newest good one
    QString prompt;
    std::optional<qint64> length, steps, block, seed;
    std::optional<double> temperature;
};

class EngineProcess final : public QObject {
    Q_OBJECT

 public:
    explicit EngineProcess(QObject* parent = nullptr) : EngineProcess(locateEngine(), parent) {}
    explicit EngineProcess(QString program, QObject* parent = nullptr);
    const QString& program() const { return m_program; }

    EngineTask* start(const StartRequest& request);  // reply.json: {"folder":…,"id":…,"pid":…}
    EngineTask* doctor();
    EngineTask* plan(const RunSpec& spec);
    EngineTask* statusOf(const std::filesystem::path& runFolder);
    EngineTask* sample(const SampleRequest& request);  // reply.json: the text and what is needed to get it again
    EngineTask* run(const QStringList& arguments);     // any other command

 private:
    EngineTask* runWithSpec(const RunSpec& spec, const QStringList& arguments);

    QString m_program;
};

}  // namespace unmask::ui
