// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/data/importer.h"

namespace unmask {

namespace {

constexpr int64_t kShortestRecord = 3;  // "{}" and its ending

std::string percent(double share) {
    return formatNumber(std::round(share * 1e4) / 1e2) + " %";
}

}  // namespace

RecordImporter::RecordImporter(const SourceFile& source, const ImportTarget& target)
    : m_source(source), m_target(target), m_parser(target.textField) {}

void RecordImporter::record(std::string_view text, int64_t line, int64_t offset) {
    if (std::optional<RecordFault> found = m_parser.parse(text, m_text)) {
        fault(std::move(*found), text, line, offset);
        return;
    }
    m_target.sink.text(m_text);
    m_target.sink.endDocument();
    ++m_target.entry().documents;
    ++m_target.report.documents;
    ++m_target.report.records;
}

void RecordImporter::fault(RecordFault fault, std::string_view text, int64_t line, int64_t offset) {
    const std::string_view before = text.substr(0, static_cast<size_t>(std::max<int64_t>(fault.offset, 0)));
    const size_t lastBreak = before.rfind('\n');
    const size_t column = before.size() - (lastBreak == std::string_view::npos ? 0 : lastBreak + 1) + 1;
    BadLine bad;
    bad.file = m_target.file;
    bad.line = line + std::count(before.begin(), before.end(), '\n');
    bad.offset = offset + fault.offset;
    bad.reason = fault.reason;
    bad.detail = std::move(fault.detail);
    if (fault.offset > 0)
        bad.detail += (bad.detail.empty() ? "at column " : " at column ") + std::to_string(column);
    ++m_target.report.records;
    m_target.report.addBadLine(std::move(bad));
    stopWhenHopeless(offset);
}

void RecordImporter::tooLong(int64_t line, int64_t offset) {
    fault({BadLineReason::tooLong, 0, "more than " + formatBytes(static_cast<double>(m_target.maxRecordBytes))}, {},
          line, offset);
}

void RecordImporter::stopWhenHopeless(int64_t offset) const {
    // Small files are read to their end: the message then has the true share.
    if (m_target.report.badLines >= static_cast<int64_t>(ImportReport::kKeptBadLines))
        checkBadLineLimit(m_target.report, m_target.badLineLimit, (m_source.size() - offset) / kShortestRecord);
}

void checkBadLineLimit(const ImportReport& report, double limit, int64_t recordsToCome) {
    const auto bad = static_cast<double>(report.badLines);
    if (bad <= limit * static_cast<double>(report.records + recordsToCome))
        return;
    std::string message = "[data] " + std::to_string(report.badLines) + " of " + std::to_string(report.records) +
                          (report.records == 1 ? " record" : " records") + (recordsToCome > 0 ? " so far (" : " (") +
                          percent(report.badShare()) + ") cannot be used, more than data.bad_line_limit allows (" +
                          percent(limit) + ").";
    const size_t shown = std::min<size_t>(report.kept.size(), 3);
    for (size_t i = 0; i < shown; ++i)
        message += "\n  " + report.describe(report.kept[i]);
    throw Error{ErrorCode::badInput, message + "\nMend these lines, or raise data.bad_line_limit to skip them."};
}

}  // namespace unmask
