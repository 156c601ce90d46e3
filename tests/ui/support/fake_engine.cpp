// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/support/fake_engine.h"

namespace unmask::test {
namespace {

std::string stateLine(const char* kind, const FakeEngine& engine, int64_t step) {
    Json json;
    json["bridge"] = kind;
    json["protocol"] = engine.protocol;
    json["code_version"] = "test";
    json["id"] = "run";
    json["word"] = runWordName(engine.word);
    json["evidence"] = "the test says so";
    json["phase"] = "training";
    json["step"] = step;
    json["total_steps"] = 1000;
    json["attempt"] = 1;
    json["seq"] = engine.journal.size();
    json["durable_seq"] = engine.journal.size();
    return dumpLine(json) + "\n";
}

}  // namespace

ui::TransportFactory FakeEngine::factory() {
    return [this](QObject* parent) -> ui::BridgeTransport* { return new FakeConnection(this, parent); };
}

void FakeEngine::say(const std::string& line) {
    journal.push_back(line);
    sayRaw(QByteArray::fromStdString(line + "\n"));
}

void FakeEngine::sayRaw(const QByteArray& bytes) {
    if (m_connection)
        Q_EMIT m_connection->bytesReceived(bytes);
}

void FakeEngine::state(int64_t step) {
    sayRaw(QByteArray::fromStdString(stateLine("state", *this, step)));
}

void FakeEngine::die() {
    if (m_connection)
        Q_EMIT m_connection->ended(false, QStringLiteral("the test ended the bridge"));
}

void FakeEngine::end() {
    if (m_connection)
        Q_EMIT m_connection->ended(true, {});
}

void FakeConnection::start(qint64 fromSeq) {
    m_engine->m_connection = this;
    ++m_engine->m_connections;
    m_engine->m_lastFrom = fromSeq;
    // Answers come later, as from a process.
    QMetaObject::invokeMethod(
        this,
        [this, fromSeq] {
            QByteArray bytes = QByteArray::fromStdString(stateLine("hello", *m_engine, 0));
            for (const std::string& line : m_engine->journal)
                if (readLineHead(line)->seq >= fromSeq)
                    bytes += QByteArray::fromStdString(line + "\n");
            Q_EMIT bytesReceived(bytes);
        },
        Qt::QueuedConnection);
}

void FakeConnection::write(const QByteArray& line) {
    if (auto command = decodeCommand(line.trimmed().toStdString()))
        m_engine->m_commands.push_back(std::move(command).value());
}

}  // namespace unmask::test
