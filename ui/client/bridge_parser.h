// SPDX-License-Identifier: Apache-2.0
// Bytes of the bridge → record batches and bridge lines. Lives in its own thread. Holds back a torn last line, and
// proves the overlap: the first record of a connection must be the one the reader already holds.
#pragma once

#include <QByteArray>
#include <QObject>

#include "engine/journal/record_batch.h"
#include "ui/client/bridge_lines.h"

namespace unmask::ui {

class BridgeParser final : public QObject {
    Q_OBJECT

 public:
    using QObject::QObject;

    // A new connection that asked for records from `expected.seq` on (everything when that is 0). `anew`: what was read
    // before is void, and the first batch says so.
    void begin(quint64 connection, const RecordMark& expected, bool anew);
    void take(quint64 connection, const QByteArray& bytes);
    void finish(quint64 connection, bool clean, const QString& reason);

 Q_SIGNALS:
    void recordsParsed(quint64 connection, const unmask::RecordBatchPtr& batch);
    void lineParsed(quint64 connection, const unmask::ui::BridgeLine& line);
    void overlapFailed(quint64 connection, const QString& why);
    void drained(quint64 connection, bool clean, const QString& reason);  // all before was handed out

 private:
    void takeLine(std::string_view line);
    void takeRecord(std::string_view line);
    void takeBridgeLine(std::string_view line);
    void hand();
    void failOverlap(const QString& why);

    quint64 m_connection = 0;
    RecordMark m_expected;
    bool m_overlapProven = false;
    bool m_void = false;  // the connection proved to be of another history
    bool m_restarted = false;
    int m_statesBeforeOverlap = 0;
    qint64 m_lastSeq = 0;
    QByteArray m_partial;
    std::shared_ptr<RecordBatch> m_batch;
};

}  // namespace unmask::ui
