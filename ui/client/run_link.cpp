// SPDX-License-Identifier: Apache-2.0
#include "ui/client/run_link.h"

#include <QRandomGenerator>

#include "engine/protocol/version.h"
#include "ui/client/bridge_parser.h"
#include "ui/client/process_transport.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr double kFirstRetryMs = 1000;
constexpr double kRetryGrowth = 1.5;
constexpr double kLongestRetryMs = 30000;
constexpr int kSilenceMs = 15000;  // the bridge speaks each second

}  // namespace

RunLink::RunLink(TransportFactory factory, QObject* parent)
    : QObject(parent), m_factory(std::move(factory)), m_parser(new BridgeParser), m_retryMs(kFirstRetryMs) {
    m_parser->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_parser, &QObject::deleteLater);
    connect(m_parser, &BridgeParser::recordsParsed, this, &RunLink::onParsed);
    connect(m_parser, &BridgeParser::lineParsed, this, &RunLink::onBridgeLine);
    connect(m_parser, &BridgeParser::drained, this, &RunLink::onDrained);
    connect(m_parser, &BridgeParser::overlapFailed, this, [this](quint64 connection, const QString& why) {
        if (connection == m_connection)
            rereadAll(why);
    });
    connect(&m_commands, &CommandTracker::changed, this, &RunLink::commandChanged);
    m_retryTimer.setSingleShot(true);
    connect(&m_retryTimer, &QTimer::timeout, this, &RunLink::connectBridge);
    m_silenceTimer.setSingleShot(true);
    m_silenceTimer.setInterval(kSilenceMs);
    connect(&m_silenceTimer, &QTimer::timeout, this, [this] {
        dropBridge();
        onEnded(false, tr("the bridge has said nothing for %n second(s)", nullptr, kSilenceMs / 1000));
    });
    m_thread.setObjectName(QStringLiteral("run-link"));
    m_thread.start();
}

RunLink::~RunLink() {
    dropBridge();
    m_thread.quit();
    m_thread.wait();
}

TransportFactory RunLink::processFactory(const QString& program, const QString& runFolder) {
    return [program, runFolder](QObject* parent) -> BridgeTransport* {
        return new ProcessTransport(program, runFolder, parent);
    };
}

void RunLink::open(const RecordMark& last) {
    m_last = last;
    m_anew = false;
    m_attempt = 0;
    m_retryMs = kFirstRetryMs;
    connectBridge();
}

void RunLink::close() {
    m_retryTimer.stop();
    dropBridge();
    setStatus(LinkWord::idle, {});
}

void RunLink::retryNow() {
    if (m_retryTimer.isActive())
        connectBridge();
}

void RunLink::connectBridge() {
    m_retryTimer.stop();
    dropBridge();
    ++m_attempt;
    const quint64 connection = ++m_connection;
    setStatus(LinkWord::connecting, {});
    QMetaObject::invokeMethod(m_parser, [parser = m_parser, connection, last = m_last, anew = m_anew] {
        parser->begin(connection, last, anew);
    });
    m_transport = m_factory(this);
    connect(m_transport, &BridgeTransport::bytesReceived, this, [this, connection](const QByteArray& bytes) {
        m_silenceTimer.start();
        QMetaObject::invokeMethod(m_parser,
                                  [parser = m_parser, connection, bytes] { parser->take(connection, bytes); });
    });
    connect(m_transport, &BridgeTransport::ended, this, [this, connection](bool clean, const QString& reason) {
        QMetaObject::invokeMethod(
            m_parser, [parser = m_parser, connection, clean, reason] { parser->finish(connection, clean, reason); });
    });
    m_silenceTimer.start();
    m_transport->start(m_last.seq);
}

void RunLink::dropBridge() {
    m_silenceTimer.stop();
    ++m_connection;
    if (!m_transport)
        return;
    m_transport->disconnect(this);
    m_transport->stop();
    m_transport->deleteLater();
    m_transport = nullptr;
}

QString RunLink::send(Command command) {
    if (command.id.empty())
        command.id = newCommandId();
    m_commands.asked(command);
    if (m_transport && m_status.word == LinkWord::live)
        m_transport->write(QByteArray::fromStdString(encodeCommand(command)) + '\n');
    return fromUtf8(command.id);
}

void RunLink::onParsed(quint64 connection, const RecordBatchPtr& batch) {
    if (connection != m_connection)
        return;
    if (!batch->records.empty()) {
        m_last = batch->last;
        m_anew = false;
    }
    Q_EMIT recordsReceived(batch);
    noteAnswers(*batch);
}

void RunLink::noteAnswers(const RecordBatch& batch) {
    for (const EventRecord& record : batch.records)
        if (const auto* answer = std::get_if<CommandEvent>(&record.event))
            m_commands.answered(fromUtf8(answer->id), answer->accepted, record.step, fromUtf8(answer->detail));
}

void RunLink::onBridgeLine(quint64 connection, const BridgeLine& line) {
    if (connection != m_connection)
        return;
    if (const auto* hello = std::get_if<BridgeHello>(&line)) {
        onHello(*hello);
    } else if (const auto* state = std::get_if<RunStatus>(&line)) {
        Q_EMIT stateChanged(*state);
    } else if (const auto* answer = std::get_if<BridgeAnswer>(&line)) {
        m_commands.answered(answer->id, answer->accepted, -1, answer->detail);
    }
}

void RunLink::onHello(const BridgeHello& hello) {
    Q_EMIT helloReceived(hello);
    if (hello.protocol > kProtocolVersion) {
        dropBridge();
        setStatus(LinkWord::refused, tr("The engine speaks version %1 of the protocol, this studio only up to %2. "
                                        "Update the studio to follow this run.")
                                         .arg(hello.protocol)
                                         .arg(kProtocolVersion));
        return;
    }
    m_attempt = 0;
    m_retryMs = kFirstRetryMs;
    setStatus(LinkWord::live, {});
    for (const Command& command : m_commands.open())
        m_transport->write(QByteArray::fromStdString(encodeCommand(command)) + '\n');
    Q_EMIT stateChanged(hello.status);
}

void RunLink::onDrained(quint64 connection, bool clean, const QString& reason) {
    if (connection != m_connection)
        return;
    dropBridge();
    onEnded(clean, reason);
}

void RunLink::onEnded(bool clean, const QString& reason) {
    if (clean) {
        setStatus(LinkWord::ended, reason);
        return;
    }
    const double jitter = 0.8 + 0.4 * QRandomGenerator::global()->generateDouble();
    const int wait = static_cast<int>(m_retryMs * jitter);
    m_retryMs = std::min(m_retryMs * kRetryGrowth, kLongestRetryMs);
    m_retryTimer.start(wait);
    setStatus(LinkWord::reconnecting, reason, wait);
}

void RunLink::rereadAll(const QString& why) {
    m_last = {};
    m_anew = true;
    connectBridge();
    setStatus(LinkWord::connecting, tr("Reading the run from its beginning: %1.").arg(why));
}

void RunLink::setStatus(LinkWord word, const QString& detail, int retryInMs) {
    m_status = {word, detail, m_attempt, retryInMs};
    Q_EMIT linkChanged(m_status);
}

}  // namespace unmask::ui
