// SPDX-License-Identifier: Apache-2.0
#include "ui/client/bridge_parser.h"

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr qsizetype kLongestLine = qsizetype{16} << 20;
constexpr size_t kBatchRecords = 4096;
// The bridge prints old records right after its greeting, so after some states none will come.
constexpr int kStatesWithoutOverlap = 3;
constexpr std::string_view kBridgePrefix = "{\"bridge\"";

}  // namespace

void BridgeParser::begin(quint64 connection, const RecordMark& expected, bool anew) {
    m_connection = connection;
    m_expected = expected;
    m_overlapProven = expected.seq == 0;
    m_restarted = anew;
    m_void = false;
    m_statesBeforeOverlap = 0;
    m_lastSeq = expected.seq;
    m_partial.clear();
    m_batch.reset();
}

void BridgeParser::take(quint64 connection, const QByteArray& bytes) {
    if (connection != m_connection || m_void)
        return;
    m_partial += bytes;
    qsizetype begin = 0;
    for (qsizetype end = m_partial.indexOf('\n'); end >= 0 && !m_void; end = m_partial.indexOf('\n', begin)) {
        takeLine({m_partial.constData() + begin, static_cast<size_t>(end - begin)});
        begin = end + 1;
    }
    m_partial.remove(0, begin);
    if (m_partial.size() > kLongestLine)
        failOverlap(tr("the bridge sent a line of more than 16 MiB"));
    hand();
}

void BridgeParser::takeLine(std::string_view line) {
    if (line.empty())
        return;
    if (line.substr(0, kBridgePrefix.size()) == kBridgePrefix)
        takeBridgeLine(line);
    else
        takeRecord(line);
}

void BridgeParser::takeRecord(std::string_view line) {
    if (!m_overlapProven) {
        RecordBatch probe;
        appendLine(probe, line);
        m_overlapProven = probe.last == m_expected;
        if (!m_overlapProven)
            failOverlap(tr("the run folder holds another record %1 than the one known here").arg(m_expected.seq));
        return;
    }
    if (!m_batch) {
        m_batch = std::make_shared<RecordBatch>();
        m_batch->fromStart = m_restarted;
        m_batch->afterSeq = m_lastSeq;
        m_restarted = false;
    }
    appendLine(*m_batch, line);
    if (m_batch->records.size() >= kBatchRecords)
        hand();
}

void BridgeParser::takeBridgeLine(std::string_view line) {
    auto decoded = decodeBridgeLine(line);
    if (!decoded)
        return;  // a kind of a later version
    hand();      // keeps the order of states and records
    Q_EMIT lineParsed(m_connection, decoded.value());
    if (!m_overlapProven && std::holds_alternative<RunStatus>(decoded.value()) &&
        ++m_statesBeforeOverlap >= kStatesWithoutOverlap)
        failOverlap(tr("the run folder ends before record %1, which is known here").arg(m_expected.seq));
}

void BridgeParser::hand() {
    if (!m_batch)
        return;
    if (!m_batch->records.empty())
        m_lastSeq = m_batch->last.seq;
    Q_EMIT recordsParsed(m_connection, m_batch);
    m_batch.reset();
}

void BridgeParser::failOverlap(const QString& why) {
    m_void = true;
    m_batch.reset();
    Q_EMIT overlapFailed(m_connection, why);
}

void BridgeParser::finish(quint64 connection, bool clean, const QString& reason) {
    if (connection != m_connection || m_void)
        return;
    hand();
    if (clean && !m_overlapProven) {
        failOverlap(tr("the run folder ends before record %1, which is known here").arg(m_expected.seq));
        return;
    }
    Q_EMIT drained(connection, clean, reason);
}

}  // namespace unmask::ui
