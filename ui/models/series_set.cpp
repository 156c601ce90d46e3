// SPDX-License-Identifier: Apache-2.0
#include "ui/models/series_set.h"

#include <algorithm>
#include <limits>

#include "engine/base/clock.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

void moveTail(std::vector<double>& from, size_t first, std::vector<double>& to) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
    to.insert(to.end(), begin, from.end());
    from.erase(begin, from.end());
}

}  // namespace

void SeriesSet::reset(RunHistory&& history) {
    *this = {};
    m_mark = history.mark;
    m_tokens = static_cast<double>(history.row.tokens);
    m_elapsed = history.row.elapsedSeconds;
    for (SeriesColumns& columns : history.series)
        m_shown.emplace(columns.name, std::move(columns));
    for (SeriesColumns& columns : history.superseded)
        m_superseded.emplace(columns.name, std::move(columns));
    for (const EventRecord& record : history.events)
        if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
            m_joints.push_back(static_cast<double>(resumed->fromStep));
}

SeriesSet::Change SeriesSet::add(const RecordBatch& batch) {
    Change change;
    if (batch.fromStart) {
        *this = {};
        change.restarted = true;
        change.replaced = true;
    }
    for (const EventRecord& record : batch.records) {
        if (record.seq <= m_mark.seq && record.attempt <= m_mark.attempt)
            continue;
        if (const auto* resumed = std::get_if<ResumedEvent>(&record.event)) {
            takeBack(resumed->fromStep, std::min(resumed->lastSeq, record.seq - 1), change);
            m_joints.push_back(static_cast<double>(resumed->fromStep));
        } else if (record.seq <= m_mark.seq) {  // its `resumed` was damaged
            takeBack(record.step - 1, record.seq - 1, change);
        }
        m_mark = {record.seq, record.attempt, 0};
        if (const auto* metrics = std::get_if<MetricsEvent>(&record.event)) {
            m_tokens = static_cast<double>(metrics->tokens);
            m_elapsed = metrics->elapsedSeconds;
            addFrame(record, metrics->values, change);
        } else if (const auto* device = std::get_if<DeviceEvent>(&record.event)) {
            addFrame(record, device->values, change);
        } else {
            change.events.push_back(record);
        }
    }
    if (m_mark.seq == batch.last.seq && m_mark.attempt == batch.last.attempt)
        m_mark.crc = batch.last.crc;
    return change;
}

void SeriesSet::addFrame(const EventRecord& record, const std::map<std::string, double>& values, Change& change) {
    const double wall = static_cast<double>(parseUtcNanoseconds(record.time)) * 1e-9;
    for (const auto& [name, value] : values) {
        SeriesColumns& columns = m_shown[name];
        if (columns.name.empty())
            columns.name = name;
        columns.step.push_back(static_cast<double>(record.step));
        columns.tokens.push_back(m_tokens);
        columns.elapsed.push_back(m_elapsed);
        columns.wall.push_back(wall);
        columns.value.push_back(value);
        const QString text = fromUtf8(name);
        if (!change.extended.contains(text))
            change.extended << text;
    }
}

// Steps of a shown series never fall, so what goes is a tail.
void SeriesSet::takeBack(qint64 fromStep, qint64 lastSeq, Change& change) {
    m_tokens = 0;
    m_elapsed = 0;
    for (auto& [name, shown] : m_shown) {
        const auto first = std::upper_bound(shown.step.begin(), shown.step.end(), static_cast<double>(fromStep));
        const auto index = static_cast<size_t>(first - shown.step.begin());
        if (index > 0) {
            m_tokens = std::max(m_tokens, shown.tokens[index - 1]);
            m_elapsed = std::max(m_elapsed, shown.elapsed[index - 1]);
        }
        if (index == shown.size())
            continue;
        SeriesColumns& kept = m_superseded[name];
        kept.name = name;
        moveTail(shown.step, index, kept.step);
        moveTail(shown.tokens, index, kept.tokens);
        moveTail(shown.elapsed, index, kept.elapsed);
        moveTail(shown.wall, index, kept.wall);
        moveTail(shown.value, index, kept.value);
        change.replaced = true;
    }
    change.lastValid = lastSeq;
    std::erase_if(change.events, [lastSeq](const EventRecord& event) { return event.seq > lastSeq; });
}

QStringList SeriesSet::names() const {
    QStringList names;
    for (const auto& [name, columns] : m_shown)
        names << fromUtf8(name);
    return names;
}

const SeriesColumns& SeriesSet::columns(const QString& name) const {
    static const SeriesColumns none;
    const auto found = m_shown.find(toUtf8(name));
    return found == m_shown.end() ? none : found->second;
}

const SeriesColumns& SeriesSet::superseded(const QString& name) const {
    static const SeriesColumns none;
    const auto found = m_superseded.find(toUtf8(name));
    return found == m_superseded.end() ? none : found->second;
}

double SeriesSet::lastValue(std::string_view name) const {
    const auto found = m_shown.find(name);
    return found == m_shown.end() || found->second.size() == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                               : found->second.value.back();
}

}  // namespace unmask::ui
