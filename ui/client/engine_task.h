// SPDX-License-Identifier: Apache-2.0
// One run of `unmask-engine` that ends by itself. It reports once and deletes itself afterwards.
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>

#include "engine/base/json.h"

namespace unmask::ui {

struct EngineReply {
    bool ok = false;
    int exitCode = -1;
    QString sentence;   // why not, in the engine's words; empty on success
    QByteArray output;  // standard output
    Json json;          // the output where it is JSON, else null
};

class EngineTask final : public QObject {
    Q_OBJECT

 public:
    EngineTask(QString program, QStringList arguments, QObject* parent = nullptr);
    ~EngineTask() override;

    // Bytes of a run file, handed over as `--spec FILE` at the end of the arguments; the file lives as long as the
    // task.
    void setSpec(QByteArray json) { m_specJson = std::move(json); }
    void start();
    void cancel();  // no reply comes afterwards
    const QStringList& arguments() const { return m_arguments; }

 Q_SIGNALS:
    void finished(const unmask::ui::EngineReply& reply);
    void progressed(const QString& line);  // a line of standard error while it works

 private:
    void startWithSpecFile(const QString& file);
    void onErrorText();
    void onFinished(int exitCode, QProcess::ExitStatus status);
    void report(EngineReply reply);

    QString m_program;
    QStringList m_arguments;
    QByteArray m_specJson;
    QString m_specFile;
    QProcess m_process;
    QByteArray m_errorText;
    qsizetype m_errorSeen = 0;
    bool m_reported = false;
};

}  // namespace unmask::ui
