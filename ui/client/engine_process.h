// SPDX-License-Identifier: Apache-2.0
// Asks the engine for things that end: start a run, examine this machine, plan a spec, tell a status, draw a sample.
// Each call returns at once with a task whose `finished` brings the reply; nothing here blocks or throws.
#pragma once

#include <QObject>
#include <filesystem>

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
    QString parent;       // id of the run that this one was made from
};

class EngineProcess final : public QObject {
    Q_OBJECT

 public:
    explicit EngineProcess(QObject* parent = nullptr) : EngineProcess(locateEngine(), parent) {}
    explicit EngineProcess(QString program, QObject* parent = nullptr);
    const QString& program() const { return m_program; }

    EngineTask* start(const StartRequest& request);  // reply.json: {"run":folder,"id":…,"pid":…}
    EngineTask* doctor();
    EngineTask* plan(const RunSpec& spec);
    EngineTask* statusOf(const std::filesystem::path& runFolder);
    // Text from a checkpoint of a run; `settings` are "sampling.temperature=0.5" and the like.
    EngineTask* sample(const std::filesystem::path& runFolder, const QString& prompt, const QStringList& settings = {});
    EngineTask* run(const QStringList& arguments);  // any other command

 private:
    EngineTask* runWithSpec(const RunSpec& spec, const QStringList& arguments);

    QString m_program;
};

}  // namespace unmask::ui
