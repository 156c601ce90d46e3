// SPDX-License-Identifier: Apache-2.0
#include "ui/store/history_reader.h"

#include "ui/settings/path_text.h"
#include "ui/store/frame_table.h"
#include "ui/store/run_index.h"

namespace unmask::ui {
namespace {

void append(SeriesColumns& columns, const FrameColumns& frames, size_t index, double value) {
    columns.step.push_back(static_cast<double>(frames.step[index]));
    columns.tokens.push_back(static_cast<double>(frames.tokens[index]));
    columns.elapsed.push_back(frames.elapsed[index]);
    columns.wall.push_back(static_cast<double>(frames.wallNs[index]) * 1e-9);
    columns.value.push_back(value);
}

std::vector<SeriesColumns> withoutEmpty(std::vector<SeriesColumns> columns) {
    std::erase_if(columns, [](const SeriesColumns& each) { return each.size() == 0; });
    return columns;
}

}  // namespace

RunHistory HistoryReader::history(const QString& key) {
    RunHistory history;
    RunIndex index(m_sql);
    auto row = index.find(key);
    if (!row)
        return history;
    const qint64 run = index.number(key);
    history.found = true;
    history.row = std::move(*row);
    history.mark = history.row.mark;
    history.specJson = index.specJson(run);

    QSqlQuery& names = m_sql.run("SELECT name FROM series WHERE run = ? ORDER BY number", {run});
    while (names.next())
        history.series.push_back({.name = names.value(0).toString().toStdString()});
    names.finish();
    history.superseded = history.series;
    FrameTable(m_sql).read(run, -1, [&](uint16_t number, const FrameColumns& frames, size_t i, double value) {
        if (number < history.series.size())
            append((frames.superseded[i] != 0 ? history.superseded : history.series)[number], frames, i, value);
    });
    history.series = withoutEmpty(std::move(history.series));
    history.superseded = withoutEmpty(std::move(history.superseded));
    history.events = events(run);
    return history;
}

SeriesColumns HistoryReader::series(const QString& key, const QString& name) {
    SeriesColumns columns{.name = toUtf8(name)};
    const qint64 run = RunIndex(m_sql).number(key);
    const QVariant number = m_sql.value("SELECT number FROM series WHERE run = ? AND name = ?", {run, name});
    if (number.isValid())
        FrameTable(m_sql).read(run, number.toInt(), [&](uint16_t, const FrameColumns& frames, size_t i, double value) {
            if (frames.superseded[i] == 0)
                append(columns, frames, i, value);
        });
    return columns;
}

std::vector<EventRecord> HistoryReader::events(qint64 run) {
    std::vector<EventRecord> events;
    QSqlQuery& query = m_sql.run("SELECT line FROM events WHERE run = ? ORDER BY seq", {run});
    while (query.next())
        if (auto record = decodeRecord(query.value(0).toString().toStdString()))
            events.push_back(std::move(record).value());
    query.finish();
    return events;
}

}  // namespace unmask::ui
