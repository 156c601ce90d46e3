// SPDX-License-Identifier: Apache-2.0
#include "ui/client/process_transport.h"

namespace unmask::ui {
namespace {

constexpr qsizetype kErrorTailBytes = 4096;

QString lastSentence(const QByteArray& text) {
    const QList<QByteArray> lines = text.trimmed().split('\n');
    return QString::fromUtf8(lines.last().trimmed());
}

}  // namespace

ProcessTransport::ProcessTransport(QString program, QString run, QObject* parent)
    : BridgeTransport(parent), m_program(std::move(program)), m_run(std::move(run)) {
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { Q_EMIT bytesReceived(m_process.readAllStandardOutput()); });
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { m_errorTail = (m_errorTail + m_process.readAllStandardError()).right(kErrorTailBytes); });
    connect(&m_process, &QProcess::finished, this, &ProcessTransport::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT ended(false, tr("%1 cannot be started: %2").arg(m_program, m_process.errorString()));
    });
}

ProcessTransport::~ProcessTransport() {
    m_process.disconnect(this);
    stop();
    m_process.waitForFinished(3000);  // a killed process is gone at once, save on a machine out of breath
}

void ProcessTransport::start(qint64 fromSeq) {
    m_process.start(m_program, {QStringLiteral("attach"), m_run, QStringLiteral("--from"),
                                QString::number(std::max<qint64>(1, fromSeq))});
}

void ProcessTransport::write(const QByteArray& line) {
    m_process.write(line);
}

// The bridge holds nothing that could be lost, so it need not be asked.
void ProcessTransport::stop() {
    if (m_process.state() != QProcess::NotRunning)
        m_process.kill();
}

void ProcessTransport::onFinished(int exitCode, QProcess::ExitStatus status) {
    const QByteArray rest = m_process.readAllStandardOutput();
    if (!rest.isEmpty())
        Q_EMIT bytesReceived(rest);
    const bool clean = status == QProcess::NormalExit && exitCode == 0;
    const QString said = lastSentence(m_errorTail + m_process.readAllStandardError());
    Q_EMIT ended(clean, clean || !said.isEmpty() ? said : tr("the bridge ended with code %1").arg(exitCode));
}

}  // namespace unmask::ui
