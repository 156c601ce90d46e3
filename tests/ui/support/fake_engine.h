// SPDX-License-Identifier: Apache-2.0
// A run whose bridge speaks the real JSON lines, in process: what is printed is what a test has said. Each connection
// gets the journal from the asked number on, like `unmask-engine attach`.
#pragma once

#include <QPointer>
#include <vector>

#include "engine/journal/event_reader.h"
#include "engine/journal/run_state.h"
#include "engine/protocol/commands.h"
#include "tests/ui/support/journal_text.h"
#include "ui/client/bridge_transport.h"

namespace unmask::test {

class FakeConnection;

class FakeEngine {
 public:
    std::vector<std::string> journal;  // lines; change it freely between connections
    RunWord word = RunWord::running;
    int protocol = 1;

    ui::TransportFactory factory();
    void say(const std::string& line);     // to the living connection, and into the journal
    void sayRaw(const QByteArray& bytes);  // to the living connection only
    void state(int64_t step);              // a state line
    void die();                            // the bridge ends with a fault
    void end();                            // the bridge ends cleanly
    int connections() const { return m_connections; }
    qint64 lastFrom() const { return m_lastFrom; }
    const std::vector<Command>& commands() const { return m_commands; }

 private:
    friend class FakeConnection;
    QPointer<FakeConnection> m_connection;
    int m_connections = 0;
    qint64 m_lastFrom = -1;
    std::vector<Command> m_commands;
};

class FakeConnection final : public ui::BridgeTransport {
    Q_OBJECT

 public:
    FakeConnection(FakeEngine* engine, QObject* parent) : BridgeTransport(parent), m_engine(engine) {}
    void start(qint64 fromSeq) override;
    void write(const QByteArray& line) override;
    void stop() override {}

 private:
    FakeEngine* m_engine;
};

}  // namespace unmask::test
