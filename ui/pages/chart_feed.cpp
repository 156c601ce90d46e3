// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/chart_feed.h"

#include <algorithm>

namespace unmask::ui {

namespace {

std::vector<double> tail(const std::vector<double>& column, size_t first, size_t last) {
    return {column.begin() + static_cast<std::ptrdiff_t>(first), column.begin() + static_cast<std::ptrdiff_t>(last)};
}

PointBatch slice(const SeriesColumns& columns, size_t first, size_t last) {
    return {tail(columns.step, first, last), tail(columns.tokens, first, last), tail(columns.elapsed, first, last),
            tail(columns.wall, first, last), tail(columns.value, first, last)};
}

// End of the ascending piece of `steps` that starts at `first`.
size_t endOfPiece(const std::vector<double>& steps, size_t first) {
    size_t last = first;
    while (last < steps.size() && (last == first || steps[last] > steps[last - 1]))
        ++last;
    return last;
}

}  // namespace

PointBatch pointsOf(const SeriesColumns& columns, size_t first) {
    return slice(columns, std::min(first, columns.size()), columns.size());
}

ChartFeed::ChartFeed(RunSession* session, ChartGrid* grid, QObject* parent)
    : QObject(parent), m_session(session), m_grid(grid) {
    connect(session, &RunSession::loaded, this, &ChartFeed::restart);
    connect(session, &RunSession::seriesReplaced, this, &ChartFeed::restart);
    connect(session, &RunSession::seriesExtended, this, &ChartFeed::extend);
    connect(&m_timer, &QTimer::timeout, this, &ChartFeed::feedNext);
}

void ChartFeed::restart() {
    const RunRow& row = m_session->row();
    if (m_runId != row.key) {
        m_grid->clearRuns();
        m_runId = row.key;
        m_grid->addRun(m_runId, row.name.isEmpty() ? row.id : row.name);
    }
    m_given.clear();
    m_turns.clear();
    QStringList names = m_session->series().names();
    const QString first = QStringLiteral("train/loss");  // what people look at first
    if (names.removeOne(first))
        names.prepend(first);
    plan(names);
}

void ChartFeed::stop() {
    m_timer.stop();
    m_turns.clear();
    m_given.clear();
    m_runId.clear();
    m_grid->clearRuns();
}

// All series up to a joint, then the joint: so the charts keep what a resume replaced aside and mark where it went on.
void ChartFeed::plan(const QStringList& names) {
    for (const double joint : m_session->series().joints()) {
        for (const QString& name : names)
            m_turns.push_back({name, joint});
        m_turns.push_back({{}, joint});
    }
    for (const QString& name : names)
        m_turns.push_back({name, {}});
    m_timer.start(0);
}

void ChartFeed::feedNext() {
    if (m_turns.empty()) {
        m_timer.stop();
        Q_EMIT complete();
        return;
    }
    const Turn turn = m_turns.front();
    m_turns.pop_front();
    if (turn.name.isEmpty())
        m_grid->resumeFrom(m_runId, *turn.joint);
    else
        feed(turn);
}

void ChartFeed::feed(const Turn& turn) {
    const SeriesColumns& shown = m_session->series().columns(turn.name);
    Given& given = m_given[turn.name];
    if (!turn.joint) {
        give(turn.name, pointsOf(shown, given.shown));
        given.shown = shown.size();
        given.whole = true;
        return;
    }
    const auto begin = shown.step.begin() + static_cast<std::ptrdiff_t>(given.shown);
    const size_t upTo =
        static_cast<size_t>(std::upper_bound(begin, shown.step.end(), *turn.joint) - shown.step.begin());
    give(turn.name, slice(shown, given.shown, upTo));
    given.shown = upTo;
    const SeriesColumns& old = m_session->series().superseded(turn.name);
    if (given.old < old.size() && old.step[given.old] > *turn.joint) {
        const size_t oldEnd = endOfPiece(old.step, given.old);
        give(turn.name, slice(old, given.old, oldEnd));
        given.old = oldEnd;
    }
}

void ChartFeed::give(const QString& name, const PointBatch& points) {
    Given& given = m_given[name];
    if (given.begun)
        m_grid->appendBatch(m_runId, name, points);
    else
        m_grid->setData(m_runId, name, points);
    given.begun = true;
}

void ChartFeed::extend(const QStringList& names) {
    for (const QString& name : names) {
        Given& given = m_given[name];
        if (!given.whole) {  // its last turn is still to come and takes these points along
            const auto isLast = [&name](const Turn& turn) { return turn.name == name && !turn.joint; };
            if (std::none_of(m_turns.begin(), m_turns.end(), isLast))
                m_turns.push_back({name, {}});
            continue;
        }
        const SeriesColumns& columns = m_session->series().columns(name);
        if (columns.size() > given.shown)
            m_grid->appendBatch(m_runId, name, pointsOf(columns, given.shown));
        given.shown = columns.size();
    }
    if (!m_turns.empty())
        m_timer.start(0);
}

}  // namespace unmask::ui
