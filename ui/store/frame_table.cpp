// SPDX-License-Identifier: Apache-2.0
#include "ui/store/frame_table.h"

#include <algorithm>
#include <map>
#include <set>

namespace unmask::ui {
namespace {

// Sealing happens at twice a chunk, so that a resume that goes back a little finds plain rows.
constexpr qint64 kSealAt = 2 * static_cast<qint64>(kChunkFrames);

FrameColumns columnsOf(std::span<const Frame> frames) {
    return decodeFrames(encodeFrames(frames));
}

}  // namespace

qint64 FrameTable::tailRows(qint64 run) {
    return m_sql.value("SELECT count(*) FROM frames WHERE run = ?", {run}).toLongLong();
}

qint64 FrameTable::append(qint64 run, qint64 tailRows, std::span<const Frame> frames) {
    const qint64 total = tailRows + static_cast<qint64>(frames.size());
    if (total < kSealAt) {
        insertRows(run, frames);
        return total;
    }
    std::vector<Frame> all = readTail(run);
    all.insert(all.end(), frames.begin(), frames.end());
    m_sql.run("DELETE FROM frames WHERE run = ?", {run});
    std::span<const Frame> left(all);
    for (; left.size() >= kChunkFrames; left = left.subspan(kChunkFrames))
        writeChunk(run, left.first(kChunkFrames));
    insertRows(run, left);
    return static_cast<qint64>(left.size());
}

void FrameTable::insertRows(qint64 run, std::span<const Frame> frames) {
    for (const Frame& frame : frames)
        m_sql.run(
            "INSERT INTO frames (run, seq, step, tokens, elapsed, wall, superseded, points)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            {run, frame.seq, frame.step, frame.tokens, frame.elapsed, frame.wallNs, frame.superseded ? 1 : 0,
             encodePoints(frame.points)});
}

std::vector<Frame> FrameTable::readTail(qint64 run) {
    std::vector<Frame> frames;
    QSqlQuery& query = m_sql.run(
        "SELECT seq, step, tokens, elapsed, wall, superseded, points FROM frames WHERE run = ? ORDER BY seq", {run});
    while (query.next())
        frames.push_back({query.value(0).toLongLong(), query.value(1).toLongLong(), query.value(2).toLongLong(),
                          query.value(3).toDouble(), query.value(4).toLongLong(), query.value(5).toBool(),
                          decodePoints(query.value(6).toByteArray())});
    query.finish();
    return frames;
}

void FrameTable::writeChunk(qint64 run, std::span<const Frame> frames) {
    const qint64 firstSeq = frames.front().seq;
    m_sql.run("INSERT INTO frame_chunks (run, first_seq, last_seq, frames) VALUES (?, ?, ?, ?)",
              {run, firstSeq, frames.back().seq, encodeFrames(frames)});
    std::set<uint16_t> numbers;
    for (const Frame& frame : frames)
        for (const Point& point : frame.points)
            numbers.insert(point.first);
    for (const uint16_t number : numbers)
        m_sql.run("INSERT INTO series_chunks (run, number, first_seq, points) VALUES (?, ?, ?, ?)",
                  {run, number, firstSeq, encodeSeries(frames, number)});
}

std::vector<Frame> FrameTable::readChunk(qint64 run, qint64 firstSeq, const QByteArray& blob) {
    const FrameColumns columns = decodeFrames(blob);
    std::vector<Frame> frames(columns.size());
    for (size_t i = 0; i < frames.size(); ++i)
        frames[i] = {columns.seq[i],
                     columns.step[i],
                     columns.tokens[i],
                     columns.elapsed[i],
                     columns.wallNs[i],
                     columns.superseded[i] != 0,
                     {}};
    QSqlQuery& query =
        m_sql.run("SELECT number, points FROM series_chunks WHERE run = ? AND first_seq = ?", {run, firstSeq});
    while (query.next()) {
        const auto number = static_cast<uint16_t>(query.value(0).toUInt());
        decodeSeries(query.value(1).toByteArray(), frames.size(),
                     [&](size_t index, double value) { frames[index].points.emplace_back(number, value); });
    }
    query.finish();
    return frames;
}

// Chunks that reach beyond the number become rows again, as far as they stay.
void FrameTable::removeBeyond(qint64 run, qint64 lastSeq) {
    m_sql.run("DELETE FROM frames WHERE run = ? AND seq > ?", {run, lastSeq});
    std::vector<std::pair<qint64, QByteArray>> chunks;
    QSqlQuery& query =
        m_sql.run("SELECT first_seq, frames FROM frame_chunks WHERE run = ? AND last_seq > ?", {run, lastSeq});
    while (query.next())
        chunks.emplace_back(query.value(0).toLongLong(), query.value(1).toByteArray());
    query.finish();
    for (const auto& [firstSeq, blob] : chunks) {
        std::vector<Frame> kept = readChunk(run, firstSeq, blob);
        std::erase_if(kept, [lastSeq = lastSeq](const Frame& frame) { return frame.seq > lastSeq; });
        m_sql.run("DELETE FROM frame_chunks WHERE run = ? AND first_seq = ?", {run, firstSeq});
        m_sql.run("DELETE FROM series_chunks WHERE run = ? AND first_seq = ?", {run, firstSeq});
        insertRows(run, kept);
    }
}

// Shown steps grow from chunk to chunk, so the search goes backwards and ends at the first chunk without a hit.
void FrameTable::supersede(qint64 run, qint64 fromStep) {
    m_sql.run("UPDATE frames SET superseded = 1 WHERE run = ? AND step > ?", {run, fromStep});
    for (qint64 before = std::numeric_limits<qint64>::max();;) {
        QSqlQuery& query = m_sql.run(
            "SELECT first_seq, frames FROM frame_chunks WHERE run = ? AND first_seq < ? ORDER BY first_seq DESC LIMIT "
            "1",
            {run, before});
        if (!query.next())
            return;
        before = query.value(0).toLongLong();
        FrameColumns columns = decodeFrames(query.value(1).toByteArray());
        query.finish();
        bool hit = false;
        bool shown = false;
        for (size_t i = 0; i < columns.size(); ++i) {
            shown = shown || columns.superseded[i] == 0;
            if (columns.superseded[i] != 0 || columns.step[i] <= fromStep)
                continue;
            columns.superseded[i] = 1;
            hit = true;
        }
        if (hit)
            m_sql.run("UPDATE frame_chunks SET frames = ? WHERE run = ? AND first_seq = ?",
                      {encodeFrames(columns), run, before});
        else if (shown)
            return;
    }
}

void FrameTable::removeAll(qint64 run) {
    for (const char* statement : {"DELETE FROM frames WHERE run = ?", "DELETE FROM frame_chunks WHERE run = ?",
                                  "DELETE FROM series_chunks WHERE run = ?"})
        m_sql.run(statement, {run});
}

void FrameTable::read(qint64 run, int number, const Visit& visit) {
    std::map<qint64, FrameColumns> chunks;
    QSqlQuery& frames = m_sql.run("SELECT first_seq, frames FROM frame_chunks WHERE run = ? ORDER BY first_seq", {run});
    while (frames.next())
        chunks.emplace(frames.value(0).toLongLong(), decodeFrames(frames.value(1).toByteArray()));
    frames.finish();
    QSqlQuery& series = m_sql.run(
        "SELECT number, first_seq, points FROM series_chunks WHERE run = ? AND (? < 0 OR number = ?)"
        " ORDER BY number, first_seq",
        {run, number, number});
    while (series.next()) {
        const auto found = chunks.find(series.value(1).toLongLong());
        if (found == chunks.end())
            continue;
        const auto which = static_cast<uint16_t>(series.value(0).toUInt());
        const FrameColumns& columns = found->second;
        decodeSeries(series.value(2).toByteArray(), columns.size(),
                     [&](size_t index, double value) { visit(which, columns, index, value); });
    }
    series.finish();
    const std::vector<Frame> tail = readTail(run);
    if (tail.empty())
        return;
    const FrameColumns columns = columnsOf(tail);
    for (size_t i = 0; i < tail.size(); ++i)
        for (const auto& [which, value] : tail[i].points)
            if (number < 0 || which == number)
                visit(which, columns, i, value);
}

}  // namespace unmask::ui
