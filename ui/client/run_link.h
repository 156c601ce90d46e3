// SPDX-License-Identifier: Apache-2.0
// One run as it happens: records in numbered batches, the run's state each second, and commands with their answers.
// Lines are split and decoded on another thread. When the bridge dies it is started again, from the last number seen;
// the record of that number must come again unchanged, which proves that it is the same history. Closing or killing a
// link never touches training.
#pragma once

#include <QObject>
#include <QThread>
#include <QTimer>

#include "engine/journal/record_batch.h"
#include "ui/client/bridge_lines.h"
#include "ui/client/bridge_transport.h"
#include "ui/client/command_tracker.h"

namespace unmask::ui {

class BridgeParser;

enum class LinkWord {
    idle,          // not opened, or closed by us
    connecting,    // the bridge was started and has not answered yet
    live,          // states arrive
    reconnecting,  // the bridge died; the next attempt comes by itself
    ended,         // the run is not running and everything was read
    refused,       // another protocol version: nothing will come
};

struct LinkStatus {
    LinkWord word = LinkWord::idle;
    QString detail;  // sentence: why
    int attempt = 0;
    int retryInMs = 0;
};

class RunLink final : public QObject {
    Q_OBJECT

 public:
    explicit RunLink(TransportFactory factory, QObject* parent = nullptr);
    // The ordinary one: a child `program attach folder`.
    static TransportFactory processFactory(const QString& program, const QString& runFolder);
    ~RunLink() override;

    // Begins after the record `last` (as stored); a mark with seq 0 reads everything. Batches then continue `last`, or
    // the first one has `fromStart` because the history proved to be another.
    void open(const RecordMark& last);
    void close();
    void retryNow();

    // Sends and follows a command; returns its id. Kept and sent again when the link is down at this moment.
    QString send(Command command);

    const LinkStatus& status() const { return m_status; }

 Q_SIGNALS:
    void recordsReceived(const unmask::RecordBatchPtr& batch);
    void stateChanged(const unmask::RunStatus& status);
    void linkChanged(const unmask::ui::LinkStatus& status);
    void commandChanged(const unmask::ui::CommandProgress& progress);
    void helloReceived(const unmask::ui::BridgeHello& hello);

 private:
    void connectBridge();
    void dropBridge();
    void onParsed(quint64 connection, const RecordBatchPtr& batch);
    void onBridgeLine(quint64 connection, const BridgeLine& line);
    void onHello(const BridgeHello& hello);
    void onEnded(bool clean, const QString& reason);
    void onDrained(quint64 connection, bool clean, const QString& reason);
    void rereadAll(const QString& why);
    void setStatus(LinkWord word, const QString& detail, int retryInMs = 0);
    void noteAnswers(const RecordBatch& batch);

    TransportFactory m_factory;
    BridgeTransport* m_transport = nullptr;
    quint64 m_connection = 0;  // parsed batches of an earlier connection are void
    QThread m_thread;
    BridgeParser* m_parser = nullptr;
    CommandTracker m_commands;
    QTimer m_retryTimer;
    QTimer m_silenceTimer;
    RecordMark m_last;
    bool m_anew = false;  // the next batch begins a full reading
    int m_attempt = 0;
    double m_retryMs = 0;
    LinkStatus m_status;
};

}  // namespace unmask::ui
