// SPDX-License-Identifier: Apache-2.0
#include "ui/client/engine_process.h"

#include "engine/base/places.h"
#include "engine/protocol/spec_json.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {

QString locateEngine() {
    const QString chosen = qEnvironmentVariable("UNMASK_ENGINE");
    return chosen.isEmpty() ? fromPath(executableFolder() / "unmask-engine") : chosen;
}

EngineProcess::EngineProcess(QString program, QObject* parent) : QObject(parent), m_program(std::move(program)) {}

EngineTask* EngineProcess::start(const StartRequest& request) {
    QStringList options;
    if (!request.runFolder.empty())
        options << QStringLiteral("--run") << fromPath(request.runFolder);
    for (const QString& change : request.changes)
        options << QStringLiteral("--set") << change;
    if (!request.parent.isEmpty())
        options << QStringLiteral("--parent") << request.parent;
    options << QStringLiteral("--json");
    if (request.resume)
        return run(QStringList{QStringLiteral("start"), QStringLiteral("--resume")} + options);
    return runWithSpec(request.spec, QStringList{QStringLiteral("start")} + options);
}

EngineTask* EngineProcess::doctor() {
    return run({QStringLiteral("doctor"), QStringLiteral("--json")});
}

EngineTask* EngineProcess::plan(const RunSpec& spec) {
    return runWithSpec(spec, {QStringLiteral("plan"), QStringLiteral("--json")});
}

EngineTask* EngineProcess::statusOf(const std::filesystem::path& runFolder) {
    return run({QStringLiteral("status"), fromPath(runFolder), QStringLiteral("--json")});
}

EngineTask* EngineProcess::sample(const std::filesystem::path& runFolder, const QString& prompt,
                                  const QStringList& settings) {
    QStringList arguments{QStringLiteral("sample"), fromPath(runFolder), QStringLiteral("--json")};
    if (!prompt.isEmpty())
        arguments << QStringLiteral("--prompt") << prompt;
    for (const QString& setting : settings)
        arguments << QStringLiteral("--set") << setting;
    return run(arguments);
}

// Started once the caller has had time to connect to the task.
EngineTask* EngineProcess::run(const QStringList& arguments) {
    auto* task = new EngineTask(m_program, arguments, this);
    QMetaObject::invokeMethod(task, &EngineTask::start, Qt::QueuedConnection);
    return task;
}

EngineTask* EngineProcess::runWithSpec(const RunSpec& spec, const QStringList& arguments) {
    EngineTask* task = run(arguments);
    task->setSpec(QByteArray::fromStdString(dumpLine(specToJson(spec))));
    return task;
}

}  // namespace unmask::ui
