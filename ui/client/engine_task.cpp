// SPDX-License-Identifier: Apache-2.0
#include "ui/client/engine_task.h"

#include <QDir>
#include <QFile>
#include <QFuture>
#include <QPromise>
#include <QTemporaryFile>
#include <QThreadPool>
#include <array>

namespace unmask::ui {
namespace {

constexpr qsizetype kMostOutputBytes = qsizetype{64} << 20;

// The engine's error is the last thing it says; its own name before it is for terminals.
QString errorSentence(const QByteArray& errorText, int exitCode) {
    static constexpr std::array kPrefixes{"unmask-engine: ", "unmask-worker: "};
    const QList<QByteArray> lines = errorText.trimmed().split('\n');
    QString last = QString::fromUtf8(lines.last().trimmed());
    for (const char* prefix : kPrefixes)
        if (last.startsWith(QLatin1String(prefix)))
            last.remove(0, QLatin1String(prefix).size());
    return last.isEmpty() ? EngineTask::tr("the engine ended with code %1 and said nothing").arg(exitCode) : last;
}

QString writeTemporary(const QByteArray& bytes) {
    QTemporaryFile file(QDir::tempPath() + QStringLiteral("/unmask-spec-XXXXXX.json"));
    file.setAutoRemove(false);
    if (!file.open() || file.write(bytes) != bytes.size() || !file.flush())
        return {};
    return file.fileName();
}

void removeElsewhere(const QString& file) {
    if (!file.isEmpty())
        QThreadPool::globalInstance()->start([file] { QFile::remove(file); });
}

}  // namespace

EngineTask::EngineTask(QString program, QStringList arguments, QObject* parent)
    : QObject(parent), m_program(std::move(program)), m_arguments(std::move(arguments)) {
    m_process.setStandardInputFile(QProcess::nullDevice());
    connect(&m_process, &QProcess::readyReadStandardError, this, &EngineTask::onErrorText);
    connect(&m_process, &QProcess::finished, this, &EngineTask::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            report({.ok = false,
                    .exitCode = -1,
                    .sentence = tr("%1 cannot be started: %2").arg(m_program, m_process.errorString()),
                    .output = {},
                    .json = {}});
    });
}

EngineTask::~EngineTask() {
    m_process.disconnect(this);
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished(1000);
    }
    removeElsewhere(m_specFile);
}

void EngineTask::start() {
    if (m_specJson.isEmpty()) {
        m_process.start(m_program, m_arguments);
        return;
    }
    auto promise = std::make_shared<QPromise<QString>>();
    promise->future().then(this, [this](const QString& file) { startWithSpecFile(file); });
    QThreadPool::globalInstance()->start([promise, bytes = m_specJson] {
        promise->start();
        promise->addResult(writeTemporary(bytes));
        promise->finish();
    });
}

void EngineTask::startWithSpecFile(const QString& file) {
    m_specFile = file;
    if (m_reported)
        return;
    if (file.isEmpty()) {
        report({.ok = false,
                .exitCode = -1,
                .sentence = tr("The run file could not be written to %1.").arg(QDir::tempPath()),
                .output = {},
                .json = {}});
        return;
    }
    m_arguments << QStringLiteral("--spec") << file;
    m_process.start(m_program, m_arguments);
}

void EngineTask::cancel() {
    m_reported = true;
    m_process.kill();
    deleteLater();
}

void EngineTask::onErrorText() {
    m_errorText += m_process.readAllStandardError();
    for (qsizetype end = m_errorText.indexOf('\n', m_errorSeen); end >= 0;
         end = m_errorText.indexOf('\n', m_errorSeen)) {
        const QString line = QString::fromUtf8(m_errorText.mid(m_errorSeen, end - m_errorSeen));
        m_errorSeen = end + 1;
        Q_EMIT progressed(line);
    }
}

void EngineTask::onFinished(int exitCode, QProcess::ExitStatus status) {
    onErrorText();
    EngineReply reply;
    reply.exitCode = exitCode;
    reply.output = m_process.readAllStandardOutput().left(kMostOutputBytes);
    reply.ok = status == QProcess::NormalExit && exitCode == 0;
    if (status == QProcess::CrashExit)
        reply.sentence = tr("the engine was ended by a signal");
    else if (!reply.ok)
        reply.sentence = errorSentence(m_errorText, exitCode);
    if (auto json = parseJson(reply.output.trimmed().toStdString()))
        reply.json = std::move(json).value();
    report(std::move(reply));
}

void EngineTask::report(EngineReply reply) {
    if (m_reported)
        return;
    m_reported = true;
    Q_EMIT finished(reply);
    deleteLater();
}

}  // namespace unmask::ui
