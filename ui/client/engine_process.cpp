// SPDX-License-Identifier: Apache-2.0
#include "ui/client/engine_process.h"

#include "engine/base/places.h"
#include "engine/base/text.h"
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

EngineTask* EngineProcess::sample(const SampleRequest& request) {
    QStringList arguments{QStringLiteral("sample"), QStringLiteral("--run"), fromPath(request.runFolder),
                          QStringLiteral("--json")};
    const auto add = [&](const char* option, const QString& value) {
        arguments << QString::fromLatin1(option) << value;
    };
    if (!request.checkpoint.isEmpty())
        add("--checkpoint", request.checkpoint);
    if (!request.prompt.isEmpty())
        add("--prompt", request.prompt);
    if (request.length)
        add("--length", QString::number(*request.length));
    if (request.steps)
        add("--steps", QString::number(*request.steps));
    if (request.block)
        add("--block", QString::number(*request.block));
    if (request.temperature)
        add("--temperature", fromUtf8(formatNumber(*request.temperature)));
    if (request.seed)
        add("--seed", QString::number(*request.seed));
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
