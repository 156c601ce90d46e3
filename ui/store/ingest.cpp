// SPDX-License-Identifier: Apache-2.0
#include "ui/store/ingest.h"

#include <algorithm>
#include <cmath>

#include "engine/base/clock.h"
#include "engine/protocol/metric_names.h"
#include "ui/settings/path_text.h"
#include "ui/store/run_index.h"

namespace unmask::ui {
namespace {

constexpr uint16_t kMostSeries = 65000;

std::unordered_map<std::string, uint16_t> readSeriesNames(Sql& sql, qint64 run) {
    std::unordered_map<std::string, uint16_t> names;
    QSqlQuery& query = sql.run("SELECT name, number FROM series WHERE run = ?", {run});
    while (query.next())
        names.emplace(query.value(0).toString().toStdString(), static_cast<uint16_t>(query.value(1).toUInt()));
    query.finish();
    return names;
}

}  // namespace

IngestOutcome Ingest::take(const QString& key, const RecordBatch& batch) {
    RunCache& run = cache(key);
    if (run.run == 0)
        return IngestOutcome::failed;
    if (batch.fromStart)
        dropRecords(run);
    else if (batch.afterSeq > run.mark.seq)
        return IngestOutcome::gap;
    const RecordMark before = run.mark;
    for (const EventRecord& record : batch.records)
        if (record.seq > run.mark.seq || record.attempt > run.mark.attempt)
            takeRecord(run, record);
    // The mark's checksum proves the overlap next time; a batch that brought nothing new leaves it.
    if (!batch.records.empty() && run.mark.seq == batch.last.seq && run.mark.attempt == batch.last.attempt)
        run.mark.crc = batch.last.crc;
    if (!batch.damages.empty())
        m_sql.run("UPDATE runs SET damage = ? WHERE run = ?", {fromUtf8(batch.damages.back()), run.run});
    if (run.mark == before && !batch.fromStart)
        return IngestOutcome::known;
    writePending(run);
    writeRun(run);
    return IngestOutcome::stored;
}

Ingest::RunCache& Ingest::cache(const QString& key) {
    RunCache& run = m_runs[key.toStdString()];
    if (run.run != 0)
        return run;
    QSqlQuery& query = m_sql.run(
        "SELECT run, mark_seq, mark_attempt, mark_crc, tokens, elapsed, last_values, best_values, sparkline,"
        " last_record_ms FROM runs WHERE key = ?",
        {key});
    if (!query.next())
        return run;
    run.run = query.value(0).toLongLong();
    run.mark = {query.value(1).toLongLong(), query.value(2).toLongLong(), query.value(3).toUInt()};
    run.tokens = query.value(4).toLongLong();
    run.elapsed = query.value(5).toDouble();
    run.last = decodeValues(query.value(6).toString());
    run.best = decodeValues(query.value(7).toString());
    run.sparkline = Sparkline::decode(query.value(8).toByteArray());
    run.lastRecordMs = query.value(9).toLongLong();
    query.finish();
    run.series = readSeriesNames(m_sql, run.run);
    run.tailRows = m_frames.tailRows(run.run);
    return run;
}

void Ingest::dropRecords(RunCache& run) {
    m_frames.removeAll(run.run);
    m_sql.run("DELETE FROM events WHERE run = ?", {run.run});
    m_sql.run("DELETE FROM series WHERE run = ?", {run.run});
    RunCache fresh;
    fresh.run = run.run;
    run = std::move(fresh);
}

void Ingest::takeRecord(RunCache& run, const EventRecord& record) {
    const auto* resumed = std::get_if<ResumedEvent>(&record.event);
    if (resumed)
        takeBack(run, *resumed, record.seq);
    else if (record.seq <= run.mark.seq)  // a later attempt gives numbers again whose `resumed` was damaged
        takeBack(run, {.fromStep = record.step - 1, .lastSeq = record.seq - 1}, record.seq);
    run.mark = {record.seq, record.attempt, 0};
    run.lastRecordMs = parseUtcNanoseconds(record.time) / 1000000;
    if (const auto* metrics = std::get_if<MetricsEvent>(&record.event)) {
        run.tokens = metrics->tokens;
        run.elapsed = metrics->elapsedSeconds;
        takeFigures(run, record, metrics->values);
    } else if (const auto* device = std::get_if<DeviceEvent>(&record.event)) {
        takeFigures(run, record, device->values);
    } else {
        m_sql.run("INSERT OR REPLACE INTO events (run, seq, line) VALUES (?, ?, ?)",
                  {run.run, qint64{record.seq}, fromUtf8(encodeRecord(record))});
        noteFacts(run, record);
    }
}

// Device figures carry no tokens and time of their own: they stand at those of the last metrics record.
void Ingest::takeFigures(RunCache& run, const EventRecord& record, const std::map<std::string, double>& values) {
    Frame frame{record.seq, record.step, run.tokens, run.elapsed, parseUtcNanoseconds(record.time), false, {}};
    frame.points.reserve(values.size());
    for (const auto& [name, value] : values) {
        frame.points.emplace_back(seriesNumber(run, name), value);
        noteValue(run, name, value);
    }
    run.pending.push_back(std::move(frame));
}

void Ingest::noteValue(RunCache& run, const std::string& name, double value) {
    run.last[name] = value;
    if (name == metric::kTrainLoss)
        run.sparkline.add(value);
    const MetricInfo* info = findMetric(name);
    if (!info || info->better == Better::neither || !std::isfinite(value))
        return;
    const auto [best, fresh] = run.best.emplace(name, value);
    if (!fresh)
        best->second = info->better == Better::lower ? std::min(best->second, value) : std::max(best->second, value);
}

uint16_t Ingest::seriesNumber(RunCache& run, const std::string& name) {
    const auto found = run.series.find(name);
    if (found != run.series.end())
        return found->second;
    if (run.series.size() >= kMostSeries)
        throw StoreError("[history] the run records more than 65000 different figures", 0);
    const auto number = static_cast<uint16_t>(run.series.size());
    m_sql.run("INSERT INTO series (run, number, name) VALUES (?, ?, ?)", {run.run, number, fromUtf8(name)});
    run.series.emplace(name, number);
    return number;
}

void Ingest::takeBack(RunCache& run, const ResumedEvent& resumed, int64_t seq) {
    writePending(run);
    const qint64 lastSeq = std::min<qint64>(resumed.lastSeq, seq - 1);
    if (lastSeq < run.mark.seq) {
        m_frames.removeBeyond(run.run, lastSeq);
        m_sql.run("DELETE FROM events WHERE run = ? AND seq > ?", {run.run, lastSeq});
    }
    m_frames.supersede(run.run, resumed.fromStep);
    run.tailRows = m_frames.tailRows(run.run);
    m_sql.run("UPDATE runs SET end_reason = '' WHERE run = ?", {run.run});
    recomputeFigures(run);
}

// After points were taken back: last, best and sparkline from what is shown.
void Ingest::recomputeFigures(RunCache& run) {
    run.last.clear();
    run.best.clear();
    run.sparkline = {};
    run.tokens = 0;
    run.elapsed = 0;
    std::unordered_map<uint16_t, std::string> names;
    for (const auto& [name, number] : run.series)
        names.emplace(number, name);
    m_frames.read(run.run, -1, [&](uint16_t number, const FrameColumns& frames, size_t index, double value) {
        if (frames.superseded[index] != 0)
            return;
        noteValue(run, names[number], value);
        run.tokens = std::max(run.tokens, frames.tokens[index]);
        run.elapsed = std::max(run.elapsed, frames.elapsed[index]);
    });
}

void Ingest::noteFacts(RunCache& run, const EventRecord& record) {
    if (const auto* started = std::get_if<StartedEvent>(&record.event))
        m_sql.run("UPDATE runs SET host = ?, device = ?, parameters = ?, code_version = ? WHERE run = ?",
                  {fromUtf8(started->host), fromUtf8(started->device), qint64{started->parameters},
                   fromUtf8(started->codeVersion), run.run});
    else if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
        m_sql.run("UPDATE runs SET host = ?, device = ? WHERE run = ?",
                  {fromUtf8(resumed->host), fromUtf8(resumed->device), run.run});
    else if (const auto* finished = std::get_if<FinishedEvent>(&record.event))
        m_sql.run("UPDATE runs SET end_reason = ? WHERE run = ?", {fromUtf8(finished->reason), run.run});
    else if (const auto* failed = std::get_if<FailedEvent>(&record.event))
        m_sql.run("UPDATE runs SET end_reason = ? WHERE run = ?", {fromUtf8(failed->reason), run.run});
}

void Ingest::writePending(RunCache& run) {
    run.tailRows = m_frames.append(run.run, run.tailRows, run.pending);
    run.pending.clear();
}

void Ingest::writeRun(const RunCache& run) {
    m_sql.run(
        "UPDATE runs SET mark_seq = ?, mark_attempt = ?, mark_crc = ?, tokens = ?, elapsed = ?, last_values = ?,"
        " best_values = ?, sparkline = ?, last_record_ms = ? WHERE run = ?",
        {qint64{run.mark.seq}, qint64{run.mark.attempt}, qint64{run.mark.crc}, run.tokens, run.elapsed,
         encodeValues(run.last), encodeValues(run.best), run.sparkline.encode(), run.lastRecordMs, run.run});
}

}  // namespace unmask::ui
